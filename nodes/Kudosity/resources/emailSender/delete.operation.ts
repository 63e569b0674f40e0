import { deleteEmail } from '../../api/endpoints/emailSender';
import { defineOperation } from '../../runtime/operation';
import { email } from './email';

/** POST /delete-email.json. `delete` itself is a reserved word. */
export const deleteEmailSender = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete email sender',
	description:
		'Stop an email address from sending SMS. With *@example.com, all addresses of that domain are stopped.',
	fields: [email('The address; *@example.com removes all of that domain')],
	once: true,
	run: async ({ call }, { email }) => {
		await call(deleteEmail, { email });
		return { deleted: true, id: email };
	},
});
