import { formatAmount } from '#lib/currency.ts'
import type { Texts } from './kinds.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'fr')
}

export const fr: Texts = {
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  notices: {
    invoice_sent: (it) => ({
      title: `Votre facture ${it.number}`,
      body:
        it.dueCents > 0
          ? `${formatAmount(it.dueCents, it.currency, 'fr')} sont à régler${it.dueOn ? ` le ${it.dueOn}` : ''}.`
          : `Votre facture de ${amount(it)}. Il ne reste rien à régler.`,
    }),
    invoice_paid: (it) => ({
      title: `La facture ${it.number} est réglée`,
      body: `Nous avons bien reçu ${amount(it)}. Merci.`,
    }),
    payment_failed: (it) => ({
      title: it.number ? `Le paiement de la facture ${it.number} a échoué` : 'Le paiement a échoué',
      body: `${amount(it)} n'ont pas pu être prélevés : ${it.reason} Vous pouvez réessayer à tout moment.`,
    }),
    payment_action_required: (it) => ({
      title: 'Votre banque vous demande de confirmer un paiement',
      body: `Merci de confirmer le paiement de ${amount(it)}${it.number ? ` pour la facture ${it.number}` : ''}.`,
    }),
    refund_made: (it) => ({
      title: `Remboursement de la facture ${it.number}`,
      body: it.toCredit
        ? `${amount(it)} ont été ajoutés à votre solde.`
        : `${amount(it)} sont en route vers votre moyen de paiement.`,
    }),
    credit_added: (it) => ({
      title: 'Votre solde a été crédité',
      body: `${amount(it)} ont été ajoutés à votre solde. ${it.reason}`,
    }),
    out_of_stock_credit: (it) => ({
      title: 'Ce que vous avez payé est épuisé',
      body: `Votre paiement est arrivé après la dernière vente. ${amount(it)} ont été ajoutés à votre solde.`,
    }),
    service_active: (it) => ({
      title: `${it.name} est prêt`,
      body: it.address
        ? `Votre serveur vous attend à l'adresse ${it.address}.`
        : 'Votre serveur est prêt.',
    }),
    service_failed: (it) => ({
      title: `${it.name} n'a pas encore pu être installé`,
      body: 'Votre paiement est en sécurité. Nous regardons et installerons votre serveur ou vous rembourserons.',
    }),
    service_suspended: (it) => ({
      title: `${it.name} est suspendu`,
      body: "Rien n'est supprimé. Réglez ce qui est dû et il revient aussitôt.",
    }),
    service_ended: (it) => ({ title: `${it.name} est terminé`, body: 'Le serveur a été arrêté.' }),
    service_upgraded: (it) => ({
      title: `${it.name} est passé à ${it.product}`,
      body: 'Le changement est fait. Redémarrez le serveur pour profiter de ses nouvelles limites.',
    }),
    upgrade_failed: (it) => ({
      title: `${it.name} n'a pas pu passer à ${it.product}`,
      body: 'Il reste comme avant, et ce que vous avez payé pour le changement a été ajouté à votre solde.',
    }),
    invitation: (it) => ({
      title: `${it.inviter} partage ${it.service} avec vous`,
      body: "Ouvrez l'invitation pour l'accepter ou la refuser.",
    }),
    admin_attention: (it) => ({ title: it.subject, body: it.detail }),
  },
  mails: {
    verify_email: ({ url }) => ({
      title: 'Merci de confirmer votre adresse',
      body: `Ouvrez ce lien pour confirmer que cette adresse est la vôtre :\n\n${url}\n\nSi vous n'avez rien demandé, ne faites rien.`,
    }),
    reset_password: ({ url }) => ({
      title: 'Choisissez un nouveau mot de passe',
      body: `Ouvrez ce lien pour choisir un nouveau mot de passe :\n\n${url}\n\nSi vous n'avez rien demandé, ne faites rien.`,
    }),
    service_invitation: ({ inviter, service, url }) => ({
      title: `${inviter} partage un serveur avec vous`,
      body: `${inviter} vous invite à rejoindre ${service}. Ouvrez ce lien pour accepter :\n\n${url}`,
    }),
  },
}
