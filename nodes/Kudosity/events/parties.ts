type Addressed = { sender: string; recipient: string };

/** Only MMS senders come with a plus sign: without it the same person has the same number everywhere. */
export const plainNumber = (address: string): string => address.replace(/^\+(?=\d+$)/, '');

/** `contact` is always the other party, `sender` always the account's own number, name or agent. */
export const partiesOfSent = ({ sender, recipient }: Addressed) => ({
	contact: plainNumber(recipient),
	sender: plainNumber(sender),
});

export const partiesOfReceived = ({ sender, recipient }: Addressed) =>
	partiesOfSent({ sender: recipient, recipient: sender });
