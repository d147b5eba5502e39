/** The words of the pages on which people sign in for another application. */
export type SignInTexts = {
  signIn: string
  /** Under the title: where the person is about to go. */
  toContinue: (application: string) => string
  email: string
  password: string
  cancel: string
  wrong: string
  /** Where addresses are confirmed first; one sentence for both, so that it does not tell which one it is. */
  unconfirmed: string
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
  confirmTitle: string
  confirmBody: (application: string, email: string) => string
  sendLink: string
  linkSent: string
  /** The link was asked for by a person who is not signed in. */
  linkAsked: string
  isConfirmed: string
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
