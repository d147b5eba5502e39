export const legal = {
  title: 'Legal texts',
  sub: 'The newest version is shown in the shop. Published versions are kept and never change.',
  seePage: 'View the page',
  kind: 'Text',
  kinds: {
    terms: 'Terms',
    privacy: 'Privacy',
    legal: 'Legal notice',
    withdraw: 'Withdrawal',
  },
  hints: {
    terms:
      'The terms of sale. Once they are published, customers accept the newest version with each order, and the order records it.',
    privacy: 'Your privacy policy.',
    legal:
      'Who runs the shop, and how to reach you. Name, address and VAT number of the seller are added.',
    withdraw: 'How customers withdraw from a contract.',
  },
  addLanguage: 'Add a language',
  markdown:
    'Markdown, without HTML. Readers of a language without a text get that of the shop, else English.',
  firstVersion: 'First version',
  newVersion: (number: number) => `Next version (${number})`,
  publish: 'Publish',
  discard: 'Discard',
  publishTitle: (number: number) => `Publish version ${number}?`,
  publishText:
    'It replaces the version on the page at once. A published version cannot be changed.',
  publishTerms:
    'New orders require these terms at once. A published version cannot be changed, and earlier orders keep theirs.',
  published: 'The text is published',
  versions: 'Published versions',
  versionOf: (number: number, moment: string) => `Version ${number}, ${moment}`,
}
