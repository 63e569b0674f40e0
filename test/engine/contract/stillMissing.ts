/** Operations of the vendor's documents that the nodes do not have yet. It is to shrink to nothing. */
export const stillMissing: string[] = [];
