/** What an account has beside its messages, as `state.ts` keeps it. */

export interface Member {
	msisdn: string;
	first_name: string | null;
	last_name: string | null;
	created_at: string;
	status: 'active' | 'optout' | 'deleted';
	/** Values by slot. */
	values: Record<string, string>;
}

/** How far an import is, under the service's names. */
export interface Import {
	status: 'in progress' | 'completed' | 'failed';
	importlength: number;
	completed: number;
	duplicates: number;
	skipped: number;
	optout: number;
	imported: number;
}

export interface List {
	id: number;
	name: string;
	created: string | null;
	/** Names by slot, `field_1` to `field_10`; there can be gaps. */
	fields: Record<string, string>;
	/** By number. Deleted ones stay. */
	members: Map<string, Member>;
	import?: Import;
}

export interface Keyword {
	id: number;
	/** In capitals. */
	keyword: string;
	number: string;
	status: 'open' | 'closed';
	billing_date: string;
	settings: Record<string, string>;
}

export interface Verification {
	method: 'SMS';
	originating_sender: string;
	code: string;
	status: 'SENT' | 'CONFIRMED' | 'EXPIRED' | 'FAILED';
	expires_at: string;
	attempts_remaining: number;
}

export interface Registration {
	registration_id: string;
	accountId: string;
	sender: string;
	country: string;
	type: 'PERSONAL_MOBILE_NUMBER' | 'ALPHANUMERIC';
	status: 'PENDING_APPROVAL' | 'VERIFIED' | 'REJECTED' | 'CANCELLED';
	created_at: string;
	updated_at: string;
	child_account_id?: string;
	details?: object;
	verification?: Verification;
}
