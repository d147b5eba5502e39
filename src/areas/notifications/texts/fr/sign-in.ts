import type { SignInTexts } from '../sign-in.ts'

/** The sign-in pages in French. */
export const signIn: SignInTexts = {
  signIn: 'Connexion',
  toContinue: (application) => `pour continuer vers ${application}`,
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  cancel: 'Annuler',
  wrong: "L'adresse e-mail ou le mot de passe est incorrect.",
  unconfirmed:
    "L'adresse e-mail ou le mot de passe est incorrect, ou l'adresse n'est pas encore confirmée.",
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
  confirmTitle: 'Confirmez votre adresse e-mail',
  confirmBody: (application, email) =>
    `${application} n'accepte que les adresses confirmées, et ${email} ne l'est pas encore.`,
  sendLink: "M'envoyer un lien de confirmation",
  linkSent:
    'Un lien vient de vous être envoyé. Ouvrez-le, puis revenez sur cette page pour continuer.',
  linkAsked:
    "Si l'adresse n'est pas encore confirmée, un lien est en route. Ouvrez-le, puis connectez-vous ici.",
  isConfirmed: "L'adresse est confirmée : continuer",
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
