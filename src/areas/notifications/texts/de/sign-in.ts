import type { SignInTexts } from '../sign-in.ts'

/** The sign-in pages in German. */
export const signIn: SignInTexts = {
  signIn: 'Anmelden',
  toContinue: (application) => `um mit ${application} fortzufahren`,
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  cancel: 'Abbrechen',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  unconfirmed:
    'Die E-Mail-Adresse oder das Passwort ist falsch, oder die Adresse ist noch nicht bestätigt.',
  suspended: 'Dieses Konto ist gesperrt.',
  secondFactor:
    'Dieses Konto verlangt einen Passkey. Browser fragen ihn nur per Skript ab: Erlaube Skripte auf dieser Seite oder nimm einen anderen Browser.',
  usePasskey: 'Passkey verwenden',
  passkeyFailed: 'Es wurde kein Passkey verwendet. Versuche es erneut oder melde dich anders an.',
  wrongPasskey: 'Dieser Passkey wurde nicht akzeptiert.',
  codeTitle: 'Noch ein Schritt',
  codeBody:
    'Gib den Code aus deiner Authenticator-App oder einen deiner Wiederherstellungscodes ein.',
  code: 'Code',
  wrongCode:
    'Dieser Code ist falsch oder wurde schon verwendet. Nach fünf falschen musst du neu beginnen.',
  startAgain: 'Neu beginnen',
  confirmTitle: 'Bestätige deine E-Mail-Adresse',
  confirmBody: (application, email) =>
    `${application} akzeptiert nur bestätigte E-Mail-Adressen, und ${email} ist noch nicht bestätigt.`,
  sendLink: 'Bestätigungslink senden',
  linkSent:
    'Wir haben einen Link an dein Postfach geschickt. Öffne ihn, komm dann auf diese Seite zurück und mach weiter.',
  linkAsked:
    'Wenn die Adresse noch nicht bestätigt ist, ist ein Link unterwegs. Öffne ihn und melde dich dann hier an.',
  isConfirmed: 'Adresse ist bestätigt: weiter',
  consent: (application) => `${application} möchte wissen, wer du bist`,
  signedInAs: (email) => `Du bist als ${email} angemeldet. Wenn du zustimmst, darf die Anwendung:`,
  scopes: {
    openid: 'dich wiedererkennen, wenn du zurückkommst',
    profile: 'deinen Namen und deine Sprache sehen',
    email: 'deine E-Mail-Adresse sehen',
    offline_access: 'diesen Zugriff auch in deiner Abwesenheit behalten, bis du ihn entziehst',
    services: 'die Namen deiner Dienste hier sehen',
  },
  allow: 'Erlauben',
  deny: 'Nicht erlauben',
  signOut: 'Abmelden',
  askSignOut: (shop) => `Möchtest du dich bei ${shop} abmelden?`,
  stay: 'Angemeldet bleiben',
  signedOut: 'Du bist abgemeldet',
  signedOutBody: 'Du kannst diese Seite schließen.',
  otherAccount: 'Du warst mit einem anderen Konto angemeldet',
  otherAccountBody: 'Fahre fort, dann tritt das neue Konto in diesem Browser an seine Stelle.',
  proceed: 'Weiter',
  failed: 'Das hat nicht geklappt',
  failedBody: 'Geh zurück zur Anwendung, von der du kamst, und versuche es erneut.',
  expired: 'Diese Anmeldung ist abgelaufen oder wurde anderswo abgeschlossen.',
  tooMany: 'Zu viele Versuche. Warte eine Minute und versuche es erneut.',
  foreign: 'Dieses Formular wurde von einer fremden Seite gesendet.',
  reason: 'Was die Anwendung wissen möchte:',
}
