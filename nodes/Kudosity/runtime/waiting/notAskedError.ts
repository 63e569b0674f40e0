import { Failure, type Outcome } from '../../api/errors';

/** The message was never sent, since the webhook that its reply needs could not be made. */
export class NotAskedError extends Failure {
	override name = 'NotAskedError';
	readonly outcome: Outcome = 'refused';

	constructor(readonly reason: unknown) {
		super('The question was not sent');
	}
}
