/** The processor's time that some work takes, in ms: another program that takes the machine meanwhile doesn't count. */
export const processorMs = async (work: () => unknown): Promise<number> => {
	const begun = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(begun);
	return (user + system) / 1000;
};
