import type { Answer, Api } from './client.ts'

const TERMS = {
  en: `# Terms of sale

These terms are an example of the sandbox. Replace them with your own.

## The contract

You order a game server for the period that you choose. It renews by itself until you cancel it, at the latest on the last
day of a period.

## Withdrawal

Consumers may withdraw from the contract within 14 days. The refund is shown in the customer area before you confirm.`,
  fr: `# Conditions de vente

Ces conditions sont un exemple du bac à sable. Remplacez-les par les vôtres.

## Le contrat

Vous commandez un serveur de jeu pour la période de votre choix. Il est renouvelé automatiquement jusqu’à sa résiliation, au
plus tard le dernier jour d’une période.

## Rétractation

Les consommateurs peuvent se rétracter dans les 14 jours. Le remboursement est affiché dans l’espace client avant la confirmation.`,
}

const PRIVACY = {
  en: `# Privacy

This text is an example of the sandbox. Replace it with your own.

We keep what an order and its invoice need. You can download and delete your data in your account.`,
  fr: `# Confidentialité

Ce texte est un exemple du bac à sable. Remplacez-le par le vôtre.

Nous conservons ce qu’une commande et sa facture exigent. Vous pouvez télécharger et supprimer vos données dans votre compte.`,
}

const NEWS = {
  en: {
    title: 'Larger machines in Amsterdam',
    body: 'New servers have faster processors from today on.',
  },
  fr: {
    title: 'De plus grandes machines à Amsterdam',
    body: 'Dès aujourd’hui, les nouveaux serveurs ont des processeurs plus rapides.',
  },
}

/** Publishes the legal texts and an announcement of the shop, unless there are some. */
export async function publishTexts(admin: Api): Promise<void> {
  const { legal } = await admin.get('/v1/meta')
  if (legal.terms === null) {
    await admin.post('/v1/admin/legal-texts', { kind: 'terms', texts: TERMS })
  }
  if (legal.privacy === null) {
    await admin.post('/v1/admin/legal-texts', { kind: 'privacy', texts: PRIVACY })
  }
  const { data } = await admin.get('/v1/admin/announcements?limit=1')
  if (data.length === 0) {
    await admin.post('/v1/admin/announcements', { texts: NEWS, public: true })
  }
}

/** What an order says about the terms of a shop: the version that its customer was shown. */
export async function acceptedTerms(shop: Api): Promise<Answer> {
  const { legal } = await shop.get('/v1/meta')
  return legal.terms === null ? {} : { acceptedTermsVersion: legal.terms }
}
