import fc from 'fast-check';
import { seed } from './seed.ts';

/** A property that fails names its seed and path: with both, it begins with the value that failed. */
fc.configureGlobal({ seed, path: process.env.KUDOSITY_PATH });
