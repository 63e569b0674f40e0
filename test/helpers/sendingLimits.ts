const limits = new Set([
	'allowEmptyList',
	'allowedRecipients',
	'blockedRecipients',
	'mobileOnly',
	'maxPerExecution',
	'maxPerRecipientPerDay',
	'maxParts',
	'blockedRecipients',
	'allowEmptyList',
	'mobileOnly',
	'maxPerDay',
	'sendingHours',
]);

/** Fields with the sending limits where the panel has them, so that tests can name them among the options. */
export const withLimitsApart = (fields: object): object => {
	const { options, ...rest } = fields as { options?: object };
	const entries = Object.entries(options ?? {});
	const ofLimits = entries.filter(([name]) => limits.has(name));
	if (ofLimits.length === 0) return fields;
	return {
		...rest,
		options: Object.fromEntries(entries.filter(([name]) => !limits.has(name))),
		limits: Object.fromEntries(ofLimits),
	};
};
