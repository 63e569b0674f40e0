/** The hour that it is now in a time zone; undefined where the zone is not a whole number of hours from UTC. */
function hourIn(timeZone: string, time: Date): number | undefined {
	const shown = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(time);
	const [hour, minute] = shown.split(':').map(Number);
	return minute === time.getUTCMinutes() ? hour : undefined;
}

/** A time zone in which it is this hour, so that a test does not depend on the time of day. */
export function zoneAt(hour: number): string {
	const time = new Date();
	const found = Intl.supportedValuesOf('timeZone').find((zone) => hourIn(zone, time) === hour);
	if (found === undefined) throw new Error(`No time zone has hour ${hour} now`);
	return found;
}
