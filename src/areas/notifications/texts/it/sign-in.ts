import type { SignInTexts } from '../sign-in.ts'

/** The sign-in pages in Italian. */
export const signIn: SignInTexts = {
  signIn: 'Accedi',
  toContinue: (application) => `per continuare su ${application}`,
  email: 'Indirizzo email',
  password: 'Password',
  cancel: 'Annulla',
  wrong: 'L’indirizzo email o la password non sono corretti.',
  unconfirmed:
    'L’indirizzo email o la password non sono corretti, oppure l’indirizzo non è ancora confermato.',
  suspended: 'Questo account è sospeso.',
  secondFactor:
    'Questo account richiede una passkey. I browser la chiedono solo tramite uno script: consenti gli script su questa pagina o usa un altro browser.',
  usePasskey: 'Usa una passkey',
  passkeyFailed: 'Non è stata usata nessuna passkey. Riprova o accedi in un altro modo.',
  wrongPasskey: 'Questa passkey non è stata accettata.',
  codeTitle: 'Ancora un passaggio',
  codeBody:
    'Inserisci il codice della tua app di autenticazione o uno dei tuoi codici di recupero.',
  code: 'Codice',
  wrongCode:
    'Questo codice è errato o è già stato usato. Dopo cinque codici errati, devi ricominciare.',
  startAgain: 'Ricomincia',
  confirmTitle: 'Conferma il tuo indirizzo email',
  confirmBody: (application, email) =>
    `${application} accetta solo indirizzi email confermati, e ${email} non lo è ancora.`,
  sendLink: 'Inviami un link di conferma',
  linkSent: 'Ti abbiamo inviato un link via email. Aprilo, poi torna su questa pagina e continua.',
  linkAsked: 'Se l’indirizzo non è ancora confermato, un link è in arrivo. Aprilo, poi accedi qui.',
  isConfirmed: 'L’ho confermato: continua',
  consent: (application) => `${application} vuole sapere chi sei`,
  signedInAs: (email) => `Stai usando l’account ${email}. Se accetti, l’applicazione potrà:`,
  scopes: {
    openid: 'riconoscerti quando torni',
    profile: 'vedere il tuo nome e la tua lingua',
    email: 'vedere il tuo indirizzo email',
    offline_access: 'mantenere questo accesso mentre non ci sei, finché non lo revochi',
    services: 'vedere il nome dei servizi che hai qui',
  },
  allow: 'Consenti',
  deny: 'Non consentire',
  signOut: 'Esci',
  askSignOut: (shop) => `Vuoi uscire da ${shop}?`,
  stay: 'Non uscire',
  signedOut: 'Hai chiuso la sessione',
  signedOutBody: 'Puoi chiudere questa pagina.',
  otherAccount: 'Stavi usando un altro account',
  otherAccountBody: 'Se continui, il nuovo account prenderà il suo posto in questo browser.',
  proceed: 'Continua',
  failed: 'Qualcosa non ha funzionato',
  failedBody: 'Torna all’applicazione da cui provieni e riprova.',
  expired: 'Questo accesso è scaduto o è stato completato altrove.',
  tooMany: 'Troppi tentativi. Aspetta un minuto e riprova.',
  foreign: 'Questo modulo è stato inviato da una pagina che non è nostra.',
  reason: 'Ciò che l’applicazione potrebbe voler sapere:',
}
