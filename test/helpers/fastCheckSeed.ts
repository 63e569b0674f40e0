import fc from 'fast-check';
import { seed } from './seed.ts';

/** A failing property prints this seed. Set `KUDOSITY_SEED` to it to reproduce the failure. */
fc.configureGlobal({ seed });
