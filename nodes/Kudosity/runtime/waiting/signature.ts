import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n 1 checks the signature of a resume URL only where it is told to; n8n 2.41 always does, and lacks the call. */
type N8n1 = { setSignatureValidationRequired?: () => void };

/** Whether this is no n8n 1. */
export const checksByItself = (context: IExecuteFunctions): boolean =>
	!('setSignatureValidationRequired' in context);

/** Lets n8n refuse whoever calls without the signature. */
export const requireSignature = (context: IExecuteFunctions): void =>
	(context as N8n1).setSignatureValidationRequired?.();
