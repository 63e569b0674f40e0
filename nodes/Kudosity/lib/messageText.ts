/** The quotation marks of several languages, to be used between square brackets in a regular expression. */
export const quotes = '"\'`\u00b4\u2018-\u201f\u00ab\u00bb\u2039\u203a';

/** How many characters before and after a find are searched. */
export const reach = 200;

const greetings =
	"hi|hello|hey|hiya|dear|g['’]?day|greetings|good (?:morning|afternoon|evening|day|night)|thanks|thank you|sorry|congrat(?:s|ulations)|happy birthday|kia ora|hola|estimad[oa]|bonjour|salut|ch(?:er|ère)|hallo|lieber?|guten (?:tag|morgen|abend)|ciao|buongiorno|car[oa]|olá|hej|beste";

/** Words that only greet in front of a name: "Morning report" and "Welcome email" greet nobody. */
const greetingsOfNames =
	'welcome(?: back)?|morning|afternoon|evening|mr|mrs|ms|miss|mx|dr|prof|herr|frau';

/** Matches a greeting or a title at the end of a text, where people expect a name next. */
const greeting = new RegExp(
	`(?<![\\p{L}\\p{N}_])(?:${greetings}|${greetingsOfNames})\\.?\\s+[*_~]{0,3}$`,
	'iu',
);

/** Whether a greeting ends at the position `from`, e.g. "Hi " in front of a name. */
export function isGreeted(text: string, from: number): boolean {
	return greeting.test(text.slice(Math.max(0, from - reach), from));
}

/** Matches a greeting at the beginning of a text, a line or a sentence, or after the sender's name: "Acme: Hi Sam". */
const greetingFirst = new RegExp(
	`(?:^|[.!?:\\]-]\\s)[^\\p{L}\\p{N}\\n]{0,5}(?:${greetings})(?![\\p{L}\\p{N}:/-])`,
	'imu',
);

/**
 * Words with which a text speaks to its reader, in English, German, French, Spanish and Portuguese, Italian and Dutch.
 * They leave out "please check", because alerts say that, and a single "us", because US is also a country.
 */
const wordsToReader = [
	'your?|yours|please(?! (?:check(?! in)|fix|investigate|restart|retry|try again)\\b)|we|ours?|(?:call|contact|ring|see|text|visit|with) us',
	'thanks|thank you|sorry|(?:best|kind) regards|cheers|welcome (?:to|back)',
	'reply (?:yes|no|y|n)|(?:reply|text|txt|send) stop|opt out|opt-out-link',
	'sie|ihr(?:e[mnrs]?)?|dich|dein(?:e[mnrs]?)?|euch|eure[mnrs]?|wir|uns|unser(?:e[mnrs]?)?|danke',
	'vous|votre|vos|nous|notre|merci|veuillez',
	'usted|sus?|tus?|nuestr[oa]s?|gracias|seus?|suas?|voc[êe]s?|obrigad[oa]',
	'tuo|tua|tuoi|tue|suo|vostr[aeio]|nostr[aeio]|grazie',
	'uw|jouw|je|jullie|ons|onze|bedankt',
].join('|');
const wordToReader = new RegExp(
	`(?<![\\p{L}\\p{N}_-])(?:${wordsToReader})(?![\\p{L}\\p{N}_-])|[您你]`,
	'iu',
);

/** Whether a text greets or addresses a person, as messages to customers do. Most alerts address nobody. */
export function isAddressed(text: string): boolean {
	return greetingFirst.test(text) || wordToReader.test(text);
}

/** Matches signs that the text as a whole is an error message. */
export const reportOfError =
	/\p{L}(?:Error|Exception)\b|\b(?:[Ee]rror|ERROR|[Ee]xception|FATAL|panic)\s?[:[]|\b(?:[Uu]ncaught|Unhandled\w*|Traceback|SQLSTATE|n8n)\b|\bERR_|\bE(?:CONN|NOENT|NOTFOUND|ACCES|PIPE|TIMEDOUT|AI_AGAIN|HOST|NET|ADDR)[A-Z_]*\b|\b(?:HTTP|status(?: code)?) [45]\d\d\b|\b[45]\d\d (?:Unauthorized|Forbidden|Not Found|Bad)|\n[^\S\n]+at \S|\b(?:[Ww]orkflow|[Ee]xecution|[Pp]ipeline|[Bb]uild|[Dd]eploy(?:ment)?|[Cc]ron|[Bb]ackup|[Qq]uery|[Ss]erver|[Ss]ync|[Ss]cript|[Ww]ebhook|API|[Nn]ode|[Jj]ob)\b[^.!?]{0,80}\b(?:failed|failing|crashed|stopped)\b|\b(?:[Bb]ad request|[Tt]oo many requests|[Rr]esource you are requesting|[Yy]our request is invalid|check your (?:parameters|credentials)|current quota|SQL syntax)\b/u;
