import type { SignInTexts } from '../sign-in.ts'

/** The sign-in pages in Dutch. */
export const signIn: SignInTexts = {
  signIn: 'Inloggen',
  toContinue: (application) => `om verder te gaan naar ${application}`,
  email: 'E-mailadres',
  password: 'Wachtwoord',
  cancel: 'Annuleren',
  wrong: 'Het e-mailadres of het wachtwoord klopt niet.',
  unconfirmed: 'Het e-mailadres of het wachtwoord klopt niet, of het adres is nog niet bevestigd.',
  suspended: 'Dit account is geblokkeerd.',
  secondFactor:
    'Dit account vraagt om een passkey. Browsers kunnen daar alleen met een script om vragen: sta scripts toe op deze pagina of gebruik een andere browser.',
  usePasskey: 'Passkey gebruiken',
  passkeyFailed: 'Er is geen passkey gebruikt. Probeer het opnieuw of log op een andere manier in.',
  wrongPasskey: 'Deze passkey is niet geaccepteerd.',
  codeTitle: 'Nog één stap',
  codeBody: 'Vul de code van je authenticator-app in, of een van je herstelcodes.',
  code: 'Code',
  wrongCode:
    'Deze code klopt niet of is al gebruikt. Na vijf foute codes moet je opnieuw beginnen.',
  startAgain: 'Opnieuw beginnen',
  confirmTitle: 'Bevestig je e-mailadres',
  confirmBody: (application, email) =>
    `${application} accepteert alleen bevestigde e-mailadressen, en ${email} is nog niet bevestigd.`,
  sendLink: 'Stuur me een bevestigingslink',
  linkSent:
    'We hebben je een link gemaild. Open die, kom daarna terug naar deze pagina en ga verder.',
  linkAsked:
    'Als het adres nog niet bevestigd is, is er een link onderweg. Open die en log daarna hier in.',
  isConfirmed: 'Ik heb mijn adres bevestigd: verder',
  consent: (application) => `${application} wil weten wie je bent`,
  signedInAs: (email) => `Je bent ingelogd als ${email}. Als je akkoord gaat, mag de app:`,
  scopes: {
    openid: 'je herkennen als je terugkomt',
    profile: 'je naam en taal zien',
    email: 'je e-mailadres zien',
    offline_access: 'deze toegang houden terwijl je weg bent, totdat je die intrekt',
    services: 'zien welke diensten je hier hebt, met hun naam',
  },
  allow: 'Toestaan',
  deny: 'Niet toestaan',
  signOut: 'Uitloggen',
  askSignOut: (shop) => `Wil je uitloggen bij ${shop}?`,
  stay: 'Ingelogd blijven',
  signedOut: 'Je bent uitgelogd',
  signedOutBody: 'Je kunt deze pagina sluiten.',
  otherAccount: 'Je was ingelogd met een ander account',
  otherAccountBody:
    'Als je verdergaat, komt het nieuwe account ervoor in de plaats in deze browser.',
  proceed: 'Doorgaan',
  failed: 'Dit is niet gelukt',
  failedBody: 'Ga terug naar de app waar je vandaan kwam en probeer het opnieuw.',
  expired: 'Deze inlogpoging is verlopen of ergens anders afgerond.',
  tooMany: 'Te veel pogingen. Wacht een minuut en probeer het opnieuw.',
  foreign: 'Dit formulier is vanaf een andere pagina dan de onze verzonden.',
  reason: 'Wat de app misschien wil weten:',
}
