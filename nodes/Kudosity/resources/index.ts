import type { Resource } from '../fields/operation';
import { account } from './account';
import { bulkSms } from './bulkSms';
import { contact } from './contact';
import { emailSender } from './emailSender';
import { keyword } from './keyword';
import { list } from './list';
import { mms } from './mms';
import { number } from './number';
import { phoneNumbers } from './phoneNumber';
import { rcs } from './rcs';
import { report } from './report';
import { sender } from './sender';
import { sms } from './sms';
import { webhook } from './webhook';
import { whatsapp } from './whatsapp';

export const resources: Resource[] = [
	sms,
	bulkSms,
	mms,
	whatsapp,
	number,
	phoneNumbers,
	contact,
	list,
	rcs,
	webhook,
	account,
	report,
	keyword,
	emailSender,
	sender,
];
