/** Returns the hour in a time zone; undefined if the zone isn't a whole number of hours from UTC. */
function hourIn(timeZone: string, time: Date): number | undefined {
	const shown = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(time);
	const [hour, minute] = shown.split(':').map(Number);
	return minute === time.getUTCMinutes() ? hour : undefined;
}

/** Returns a time zone in which it is now the given hour, so that a test does not depend on the time of day. */
export function zoneAt(hour: number): string {
	const time = new Date();
	const found = Intl.supportedValuesOf('timeZone').find((zone) => hourIn(zone, time) === hour);
	if (found === undefined) throw new Error(`No time zone has hour ${hour} now`);
	return found;
}
