/** The quotation marks of several languages, to be used between square brackets in a regular expression. */
export const quotes = '"\'`\u00b4\u2018-\u201f\u00ab\u00bb\u2039\u203a';

/** How many characters before and after a find are searched. */
export const reach = 200;

/** Matches a greeting or a title at the end of a text, where people expect a name next. */
const greeting =
	/(?<![\p{L}\p{N}_])(?:hi|hello|hey|hiya|dear|g['’]?day|greetings|welcome(?: back)?|(?:good )?(?:morning|afternoon|evening)|good (?:day|night)|thanks|thank you|sorry|congrat(?:s|ulations)|happy birthday|mr|mrs|ms|miss|mx|dr|prof|kia ora|hola|estimad[oa]|bonjour|salut|ch(?:er|ère)|hallo|lieber?|guten (?:tag|morgen|abend)|herr|frau|ciao|buongiorno|car[oa]|olá|hej|beste)\.?\s+[*_~]{0,3}$/iu;

/** Whether a greeting ends at the position `from`, e.g. "Hi " in front of a name. */
export function isGreeted(text: string, from: number): boolean {
	return greeting.test(text.slice(Math.max(0, from - reach), from));
}

/** Matches signs that the text as a whole is an error message. */
export const reportOfError =
	/\p{L}(?:Error|Exception)\b|\b(?:[Ee]rror|ERROR|[Ee]xception|FATAL|panic)\s?[:[]|\b(?:[Uu]ncaught|Unhandled\w*|Traceback|SQLSTATE|n8n)\b|\bERR_|\bE(?:CONN|NOENT|NOTFOUND|ACCES|PIPE|TIMEDOUT|AI_AGAIN|HOST|NET|ADDR)[A-Z_]*\b|\b(?:HTTP|status(?: code)?) [45]\d\d\b|\b[45]\d\d (?:Unauthorized|Forbidden|Not Found|Bad)|\n[^\S\n]+at \S|\b(?:[Ww]orkflow|[Ee]xecution|[Pp]ipeline|[Bb]uild|[Dd]eploy(?:ment)?|[Cc]ron|[Bb]ackup|[Qq]uery|[Ss]erver|[Ss]ync|[Ss]cript|[Ww]ebhook|API|[Nn]ode|[Jj]ob)\b[^.!?]{0,80}\b(?:failed|failing|crashed|stopped)\b/u;
