import { formatAmount } from '#lib/currency.ts'
import { attentionText } from '../attention.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'fr')
}

const NOT_YOU = "Si ce n'était pas vous, changez votre mot de passe et écrivez-nous."
const UPGRADE_OBSTACLES = {
  no_capacity: "Il n'y a pas de place pour le moment.",
  disk_in_use:
    "Il occupe plus d'espace disque que ce produit n'en a : supprimez ce dont vous n'avez pas besoin.",
  ports_in_use: "Il a plus de ports que ce produit n'en a : retirez-en.",
  databases_in_use: "Il a plus de bases de données que ce produit n'en a : supprimez-en.",
  backups_in_use: "Il a plus de sauvegardes que ce produit n'en a : supprimez-en.",
}
const FACTORS = { totp: "Une application d'authentification", passkey: "Une clé d'accès" }

/** What people are told, in French. */
export const texts: Texts = {
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
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
      body: `${amount(it)} n'ont pas pu être prélevés : ${PAYMENT_FAILURES[it.why]} Vous pouvez réessayer à tout moment.`,
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
      body: `${amount(it)} ont été ajoutés à votre solde. ${CREDIT_REASONS[it.why]}`,
    }),
    out_of_stock_credit: (it) => ({
      title:
        it.amountCents > 0
          ? 'Ce que vous avez payé est épuisé'
          : 'Ce que vous avez commandé est épuisé',
      body:
        it.amountCents > 0
          ? `Votre paiement est arrivé après la dernière vente. ${amount(it)} ont été ajoutés à votre solde.`
          : 'Le dernier exemplaire a été attribué pendant le traitement de votre commande. Rien ne vous a été facturé.',
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
    service_reinstalled: (it) => ({
      title: `${it.name} a été réinstallé`,
      body: "L'installation est terminée. Vous pouvez démarrer votre serveur.",
    }),
    service_reinstall_failed: (it) => ({
      title: `${it.name} n'a pas pu être réinstallé`,
      body: "L'installation a échoué. Vérifiez vos réglages et réessayez, ou contactez-nous.",
    }),
    server_crashed: (it) => ({
      title: `${it.name} s’est arrêté de façon inattendue`,
      body: 'La fin de sa console dit pourquoi. Vous en êtes averti trois fois par jour au plus.',
    }),
    service_suspended: (it) => ({
      title: `${it.name} est suspendu`,
      body: it.unpaid
        ? "Rien n'est supprimé. Réglez ce qui est dû et il revient aussitôt."
        : "Rien n'est supprimé. Contactez-nous pour en savoir plus.",
    }),
    service_reactivated: (it) => ({
      title: `${it.name} est de retour`,
      body: "Le serveur n'est plus suspendu. Vous pouvez le redémarrer.",
    }),
    service_ended: (it) => ({
      title: `${it.name} est terminé`,
      body: it.deleteOn
        ? `Le serveur a été arrêté. Ses données seront supprimées le ${it.deleteOn}.`
        : 'Le serveur a été arrêté et ses données ont été supprimées.',
    }),
    service_ending: (it) => ({
      title: `${it.name} se termine le ${it.endsOn}`,
      body: 'Il ne sera pas renouvelé. Renouvelez-le avant cette date pour garder le serveur.',
    }),
    renewal_invoice: (it) => ({
      title: `Facture ${it.number} pour ${it.name}`,
      body: `${amount(it)} sont à régler le ${it.dueOn} pour la prochaine période.`,
    }),
    payment_reminder: (it) => ({
      title: `Merci de régler la facture ${it.number} pour ${it.name}`,
      body:
        it.next === 'nothing'
          ? `${amount(it)} restent à régler pour l’utilisation du serveur jusqu’à sa fin. La facture était à régler le ${it.dueOn}.`
          : it.next === 'end'
            ? `${amount(it)} étaient à régler le ${it.dueOn}. Le serveur est suspendu et, sans paiement, il prend fin le ${it.on} : ses données seront supprimées quelques jours plus tard.`
            : `${amount(it)} sont à régler le ${it.dueOn}. Sans paiement, le serveur sera suspendu à partir du ${it.on}.`,
    }),
    price_change: (it) => ({
      title: `Le prix de ${it.name} change`,
      body: `La première période qui commence le ${it.effectiveFrom} ou après coûtera ${amount(it)}. Vous pouvez résilier avant.`,
    }),
    service_upgraded: (it) => ({
      title: `${it.name} est passé à ${it.product}`,
      body: 'Le changement est fait. Redémarrez le serveur pour profiter de ses nouvelles limites.',
    }),
    upgrade_failed: (it) => ({
      title: `${it.name} n'a pas pu passer à ${it.product}`,
      body: it.isPaidBack
        ? 'Il reste comme avant, et ce que vous avez payé pour le changement a été ajouté à votre solde.'
        : 'Il reste comme avant.',
    }),
    upgrade_waiting: (it) => ({
      title: `${it.name} ne peut pas encore passer à ${it.product}`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} Nous réessayons jusqu'au ${it.until} ; ensuite il reste comme avant, à son prix.`,
    }),
    invitation: (it) => ({
      title: `${it.inviter} partage ${it.service} avec vous`,
      body: "Ouvrez l'invitation pour l'accepter ou la refuser.",
    }),
    commission_earned: (it) => ({
      title: `Vous avez gagné ${amount(it)}`,
      body: "Une personne que vous avez amenée a payé. Vous pourrez l'utiliser à la fin du délai d'attente.",
    }),
    commission_available: (it) => ({
      title: `${amount(it)} de votre commission sont disponibles`,
      body: "Leur délai d'attente est terminé. À partir de 20,00, vous pouvez les convertir en solde.",
    }),
    commission_reversed: (it) => ({
      title: `${amount(it)} de votre commission ont été repris`,
      body: "Un paiement d'une personne que vous avez amenée a été remboursé, repris par sa banque ou n'a pas été accepté.",
    }),
    commission_restored: (it) => ({
      title: `${amount(it)} de votre commission sont de retour`,
      body: 'Un paiement qui avait été repris a finalement été réglé.',
    }),
    impersonated: () => ({
      title: 'Un membre de notre équipe consulte votre compte',
      body: 'Pendant 30 minutes au plus, il voit ce que vous voyez. Il ne peut ni voir ni changer vos moyens de connexion ou de paiement.',
    }),
    admin_attention: (it) => attentionText(attention, it),
    password_changed: () => ({
      title: 'Votre mot de passe a été changé',
      body: `Toutes les sessions et clés API ont pris fin. ${NOT_YOU}`,
    }),
    registration_attempted: () => ({
      title: "Tentative d'inscription avec votre adresse",
      body: "Vous avez déjà un compte : aucun autre n'a été ouvert. Si c'était vous, connectez-vous, ou définissez un nouveau mot de passe si vous l'avez oublié. Sinon, vous n'avez rien à faire.",
    }),
    session_stolen: () => ({
      title: 'Nous avons fermé une de vos sessions',
      body: `Un de ses jetons a servi deux fois : quelqu'un l'a peut-être copié. ${NOT_YOU}`,
    }),
    application_stolen: (it) => ({
      title: `Nous avons mis fin à votre connexion à ${it.application}`,
      body: `Un jeton que ${it.application} avait pour votre compte a servi deux fois : quelqu'un l'a peut-être copié. Connectez-vous de nouveau à cette application. ${NOT_YOU}`,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} protège désormais votre compte`,
      body: `La connexion demande maintenant un second facteur. ${NOT_YOU}`,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} a été retirée de votre compte`,
      body: `Elle ne sert plus à la connexion. ${NOT_YOU}`,
    }),
    recovery_codes_made: () => ({
      title: 'Vous avez de nouveaux codes de secours',
      body: `Les anciens ne fonctionnent plus. ${NOT_YOU}`,
    }),
    recovery_code_used: (it) => ({
      title: 'Un code de secours a été utilisé',
      body: `Il en reste ${it.left}. ${NOT_YOU}`,
    }),
    passkey_copied: (it) => ({
      title: `La clé d'accès ${it.name} a été refusée`,
      body: "Son compteur a reculé : il en existe peut-être une copie. Retirez-la si vous n'en connaissez pas la raison.",
    }),
    account_connected: (it) => ({
      title: `Le compte ${providerName(it.provider)} ${it.name} a été lié`,
      body: `Il appartient désormais à votre compte ici. ${NOT_YOU}`,
    }),
    account_disconnected: (it) => ({
      title: `Le compte ${providerName(it.provider)} ${it.name} a été retiré`,
      body: `Il n'appartient plus à votre compte ici. ${NOT_YOU}`,
    }),
    vat_number_invalid: (it) => ({
      title: `Votre numéro de TVA ${it.vatNumber} n'est pas confirmé`,
      body: "Le registre de l'UE (VIES) ne le connaît pas. Vos prochaines factures comporteront la TVA tant que votre profil n'a pas de numéro valide ; celles déjà émises ne changent pas.",
    }),
    mail_undeliverable: (it) => ({
      title: 'Nos e-mails ne vous parviennent pas',
      body: `Le serveur de messagerie de ${it.address} dit que cette adresse n'existe pas. Nous n'y envoyons plus rien tant que vous ne la confirmez pas à nouveau ou n'en choisissez pas une autre.`,
    }),
    announcement: (it) => it,
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
    email_change_requested: ({ newEmail }) => ({
      title: 'Une autre adresse a été demandée',
      body: `${newEmail} doit remplacer cette adresse, qui reste valable jusqu'à la confirmation de la nouvelle. ${NOT_YOU}`,
    }),
    more_attention: ({ times }) => ({
      title: 'D’autres points requièrent votre attention',
      body: `Plus de ${times} points sont apparus en une heure. Les autres ne vous sont pas envoyés par e-mail : vous les trouverez tous dans vos notifications.`,
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Votre adresse a été changée',
      body: `${newEmail} a remplacé cette adresse. ${NOT_YOU}`,
    }),
  },
}
