/** The seed for everything random. `.ci/run` derives it from the commit. */
export const seed = Number(process.env.KUDOSITY_SEED ?? 20261122);
