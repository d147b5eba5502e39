import type { AdminTexts } from '../admin.tsx'

export const legal: AdminTexts['legal'] = {
  title: 'Textes juridiques',
  sub: 'La boutique affiche la version la plus récente. Les versions publiées sont conservées et ne changent pas.',
  seePage: 'Voir la page',
  kind: 'Texte',
  kinds: {
    terms: 'Conditions',
    privacy: 'Confidentialité',
    legal: 'Mentions légales',
    withdraw: 'Rétractation',
  },
  hints: {
    terms:
      'Les conditions générales de vente. Une fois publiées, les clients acceptent la version la plus récente à chaque commande, et la commande la conserve.',
    privacy: 'Votre politique de confidentialité.',
    legal:
      'Qui exploite la boutique et comment vous joindre. Le nom, l’adresse et le numéro de TVA du vendeur sont ajoutés.',
    withdraw: 'Comment les clients se rétractent d’un contrat.',
  },
  addLanguage: 'Ajouter une langue',
  markdown:
    'Markdown, sans HTML. Sans texte dans sa langue, un lecteur voit celui de la langue de la boutique, sinon l’anglais.',
  firstVersion: 'Première version',
  newVersion: (number) => `Prochaine version (${number})`,
  publish: 'Publier',
  discard: 'Abandonner',
  publishTitle: (number) => `Publier la version ${number} ?`,
  publishText:
    'Elle remplace aussitôt la version affichée. Une version publiée ne peut plus être modifiée.',
  publishTerms:
    'Les nouvelles commandes exigent aussitôt ces conditions. Une version publiée ne peut plus être modifiée, et les commandes passées gardent la leur.',
  published: 'Le texte est publié',
  versions: 'Versions publiées',
  versionOf: (number, moment) => `Version ${number}, ${moment}`,
}
