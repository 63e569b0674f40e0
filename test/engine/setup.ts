import { skipPauses } from './pauses.ts';

skipPauses();
