/** The words of the pages on which people sign in for another application. */
export type SignInTexts = {
  signIn: string
  /** Under the title: where the person is about to go. */
  toContinue: (application: string) => string
  email: string
  password: string
  cancel: string
  wrong: string
  suspended: string
  /** For accounts whose only second factor needs scripts. */
  secondFactor: string
  usePasskey: string
  passkeyFailed: string
  wrongPasskey: string
  codeTitle: string
  codeBody: string
  code: string
  wrongCode: string
  startAgain: string
  consent: (application: string) => string
  signedInAs: (email: string) => string
  scopes: Readonly<Record<string, string>>
  allow: string
  deny: string
  signOut: string
  askSignOut: (shop: string) => string
  stay: string
  signedOut: string
  signedOutBody: string
  otherAccount: string
  otherAccountBody: string
  proceed: string
  failed: string
  failedBody: string
  expired: string
  tooMany: string
  foreign: string
  reason: string
}

const en: SignInTexts = {
  signIn: 'Sign in',
  toContinue: (application) => `to continue to ${application}`,
  email: 'E-mail address',
  password: 'Password',
  cancel: 'Cancel',
  wrong: 'The e-mail address or the password is wrong.',
  suspended: 'This account is suspended.',
  secondFactor:
    'This account wants a passkey. Browsers ask for one by a script only: allow scripts on this page, or take another browser.',
  usePasskey: 'Use a passkey',
  passkeyFailed: 'No passkey was used. Try again, or sign in another way.',
  wrongPasskey: 'This passkey was not accepted.',
  codeTitle: 'One more step',
  codeBody: 'Enter the code of your authenticator app, or one of your recovery codes.',
  code: 'Code',
  wrongCode: 'This code is wrong or was used. After five wrong ones, start again.',
  startAgain: 'Start again',
  consent: (application) => `${application} wants to know who you are`,
  signedInAs: (email) => `You are signed in as ${email}. If you agree, it may:`,
  scopes: {
    openid: 'recognise you when you come back',
    profile: 'see your name and language',
    email: 'see your e-mail address',
    offline_access: 'keep this access while you are away, until you take it back',
    services: 'see which services you have here, by name',
  },
  allow: 'Allow',
  deny: 'Do not allow',
  signOut: 'Sign out',
  askSignOut: (shop) => `Do you want to sign out of ${shop}?`,
  stay: 'Stay signed in',
  signedOut: 'You are signed out',
  signedOutBody: 'You can close this page.',
  otherAccount: 'You were signed in with another account',
  otherAccountBody: 'Continue, and the new account takes its place in this browser.',
  proceed: 'Continue',
  failed: 'This did not work',
  failedBody: 'Go back to the application you came from and try again.',
  expired: 'This sign-in has expired or was finished elsewhere.',
  tooMany: 'Too many tries. Wait a minute, then try again.',
  foreign: 'This form was sent from another page than ours.',
  reason: 'What the application may want to know:',
}

const fr: SignInTexts = {
  signIn: 'Connexion',
  toContinue: (application) => `pour continuer vers ${application}`,
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  cancel: 'Annuler',
  wrong: "L'adresse e-mail ou le mot de passe est incorrect.",
  suspended: 'Ce compte est suspendu.',
  secondFactor:
    "Ce compte exige une clé d'accès. Les navigateurs ne la demandent que par un script : autorisez les scripts sur cette page, ou prenez un autre navigateur.",
  usePasskey: "Utiliser une clé d'accès",
  passkeyFailed: "Aucune clé d'accès n'a servi. Réessayez ou connectez-vous autrement.",
  wrongPasskey: "Cette clé d'accès n'a pas été acceptée.",
  codeTitle: 'Encore une étape',
  codeBody: "Saisissez le code de votre application d'authentification ou un code de secours.",
  code: 'Code',
  wrongCode: 'Ce code est faux ou a déjà servi. Après cinq codes faux, recommencez.',
  startAgain: 'Recommencer',
  consent: (application) => `${application} souhaite savoir qui vous êtes`,
  signedInAs: (email) => `Vous êtes connecté en tant que ${email}. Si vous acceptez, elle pourra :`,
  scopes: {
    openid: 'vous reconnaître à votre retour',
    profile: 'voir votre nom et votre langue',
    email: 'voir votre adresse e-mail',
    offline_access: "garder cet accès en votre absence, jusqu'à ce que vous le retiriez",
    services: 'voir le nom des services que vous avez ici',
  },
  allow: 'Autoriser',
  deny: 'Refuser',
  signOut: 'Se déconnecter',
  askSignOut: (shop) => `Voulez-vous vous déconnecter de ${shop} ?`,
  stay: 'Rester connecté',
  signedOut: 'Vous êtes déconnecté',
  signedOutBody: 'Vous pouvez fermer cette page.',
  otherAccount: 'Vous étiez connecté avec un autre compte',
  otherAccountBody: 'Continuez, et le nouveau compte prendra sa place dans ce navigateur.',
  proceed: 'Continuer',
  failed: "Cela n'a pas fonctionné",
  failedBody: "Retournez à l'application d'où vous venez et réessayez.",
  expired: 'Cette connexion a expiré ou a été terminée ailleurs.',
  tooMany: 'Trop de tentatives. Attendez une minute, puis réessayez.',
  foreign: 'Ce formulaire a été envoyé depuis une autre page que la nôtre.',
  reason: "Ce que l'application peut vouloir savoir :",
}

const LANGUAGES: Readonly<Record<string, SignInTexts>> = { en, fr }

/** The languages these pages are there in. */
export const SIGN_IN_LANGUAGES: readonly string[] = Object.keys(LANGUAGES)

/** The words of the sign-in pages; English where we do not speak a language. */
export function signInTexts(locale: string): SignInTexts {
  return LANGUAGES[locale] ?? en
}
