/** Where the documents are not to be followed. */
export type Exception = {
	/** What the check says, as `POST /v2/sms: body.sender must be string`. */
	issue: RegExp;
	reason: string;
};

/** Where the documents contradict themselves, or what the service was seen to do. */
export const exceptions: Exception[] = [
	{
		issue: /^GET \/get-numbers\.json: answer\.numbers\[\]\.number must be string$/,
		reason: 'The schema says text; its own sample and the service have digits as a JSON number',
	},
	{
		issue: /^GET \/get-numbers\.json: answer\.numbers\[\]\.next_charge must be string$/,
		reason: 'Numbers that are not active were seen with null',
	},
	{
		issue: /^GET \/get-lists\.json: answer\.lists\[\]\.created must be string$/,
		reason:
			'The schema says text; its own description says that it is always null for lists that keywords made',
	},
	{
		issue: /^GET \/get-lists\.json: answer\.lists\[\]\.fields must be array$/,
		reason:
			'An array only with `response_style=array`, or when empty; else an object by slot was seen',
	},
	{
		issue: /^POST \/send-sms\.json: request must have required property 'to'$/,
		reason: 'The schema wants numbers; its own description of list_id has a list in their place',
	},
	{
		issue: /^POST \/get-sms-sent\.json: answer\.recipients must be object$/,
		reason: 'The schema has one recipient; the service was seen to list them',
	},
	{
		issue: /^POST \/get-sms-sent\.json: request\.delivery must be boolean$/,
		reason: 'The schema says boolean; its own description has delivered, failed and pending',
	},
	{
		issue:
			/^POST \/get-sms-responses\.json: request must have required property '(keyword_id|keyword|number|message_id)'$/,
		reason: 'The schema wants all; its own descriptions want one of them',
	},
	{
		issue: /^POST \/get-list\.json: request\.members must be boolean$/,
		reason: 'The schema says boolean; its own table has active, inactive and none',
	},
	{
		issue: /^POST \/get-list\.json: answer\.created must be string$/,
		reason: 'As in get-lists: null for lists that keywords made',
	},
	{
		issue: /^POST \/get-list\.json: answer\.fields must be array$/,
		reason: 'As in get-lists: an object by slot',
	},
	{
		issue: /^POST \/get-list\.json: answer\.members\[\]\.status must be equal to one of/,
		reason: 'The schema leaves out optout, which clients know for contacts who opted out',
	},
	{
		issue: /^POST \/get-list\.json: answer\.members\[\]\.(first|last)_name must be string$/,
		reason: 'The schema does not say what contacts without a name have; the emulator has null',
	},
	{
		issue:
			/^POST \/(add-to-list|edit-list-member|add-list|add-field-to-list|add-contacts-bulk)\.json: request\.field_\d+ is not documented$/,
		reason: 'The schema writes field_n; its text says that n is a number from 1 to 10',
	},
	{
		issue: /^POST \/add-field-to-list\.json: request must have required property 'field_n'$/,
		reason: 'The same: n stands for a number',
	},
	{
		issue: /^POST \/(add-to-list|edit-list-member)\.json: answer\.msisdn must be string$/,
		reason: 'The schema says text; its own samples have digits as a JSON number',
	},
	{
		issue: /^POST \/add-list\.json: answer\.id must be string$/,
		reason: 'The schema says text; its own samples have a number',
	},
	{
		issue: /^POST \/add-contacts-bulk\.json: request must have required property '(list_id|name)'$/,
		reason: 'The schema requires both; its text says that one is required if the other is not set',
	},
	{
		issue: /^POST \/(get|lease)-number\.json: answer\.number must be string$/,
		reason: 'The schema says text; its own sample and the service have digits as a JSON number',
	},
	{
		issue: /^POST \/(add|edit)-keyword\.json: request\.forward_email must match format "email"$/,
		reason: 'The schema says one address; its own description and sample have several',
	},
	{
		issue:
			/^POST \/(add|edit|get)-keywords?\.json: answer\.(keywords\[\]\.)?list_id must be integer$/,
		reason:
			'The schema does not say what stands there without a list; the emulator has an empty text',
	},
	{
		issue:
			/^POST \/(add|edit|get)-keywords?\.json: answer\.(keywords\[\]\.)?forward_url must match format "uri"$/,
		reason: 'The same, where nothing is forwarded',
	},
	{
		issue:
			/^POST \/(edit-number-options|(add|edit)-keyword)\.json: request\.forward_sms(\[\])? must be integer$/,
		reason: 'The schema says integer; its own description takes several, separated by commas',
	},
	{
		issue: /^POST \/format-number\.json: answer\.number\.rawinput must be string$/,
		reason: 'The schema says text; its own description says that it is always null',
	},
	{
		issue: /^POST \/get-message-report\.json: request\.type must be integer$/,
		reason: 'The schema says integer; its own description lists words, e.g. campaign',
	},
];
