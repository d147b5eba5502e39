import { formatAmount } from '#lib/currency.ts'
import { attachedText } from '../attached.ts'
import { attentionText } from '../attention.ts'
import { dayText, timesText } from '../days.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'fr')
}

/** `4 mai 2026`, and `1er mai 2026`. */
function day(value: string): string {
  return dayText(value, 'fr-FR').replace(/^1 /, '1er ')
}

/** How the title of an update of maintenance begins. */
function maintenance(step: string): string {
  if (step === 'canceled') return 'Maintenance annulée : '
  return step === 'completed' ? 'Maintenance terminée : ' : 'Maintenance, point de situation : '
}

/** When planned maintenance takes place. */
function times(facts: { startsAt: string; endsAt: string }): string {
  return timesText(facts, 'fr-FR')
}

const VIEW_STATUS = 'Voir l’état des services'
const NOT_YOU =
  'Si vous n’êtes pas à l’origine de cette action, changez votre mot de passe et contactez-nous.'
const VIEW_TICKET = 'Voir le ticket'
const NOT_ASKED = 'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail.'
const VIEW_INVOICE = 'Voir la facture'
const PAY = 'Régler maintenant'
const OPEN_SERVICE = 'Voir le service'
const OPEN_SERVER = 'Ouvrir le serveur'
const SECURITY = 'Vérifier la sécurité du compte'
const COMMISSION = 'Voir vos commissions'
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }
const hasServer = ({ delivery }: Delivered) => (delivery ?? 'server') === 'server'
const openOf = (it: Delivered) => (hasServer(it) ? OPEN_SERVER : OPEN_SERVICE)
const nounOf = (it: Delivered) => (hasServer(it) ? 'serveur' : 'service')
const UPGRADE_OBSTACLES = {
  no_capacity: 'Il n’y a pas de place pour le moment.',
  disk_in_use:
    'Il occupe plus d’espace disque que la nouvelle offre n’en comporte : supprimez ce dont vous n’avez pas besoin.',
  ports_in_use: 'Il a plus de ports que la nouvelle offre n’en comporte : retirez-en.',
  databases_in_use:
    'Il a plus de bases de données que la nouvelle offre n’en comporte : supprimez-en.',
  backups_in_use: 'Il a plus de sauvegardes que la nouvelle offre n’en comporte : supprimez-en.',
}
const FACTORS = { totp: 'Une application d’authentification', passkey: 'Une clé d’accès' }

/** Notifications and mails in French. */
export const texts: Texts = {
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => {
      const due = formatAmount(it.dueCents, it.currency, 'fr')
      const isDue = it.dueCents > 0
      return {
        title: `Votre facture de ${amount(it)}`,
        body: !isDue
          ? `Voici votre facture ${it.number} de ${amount(it)}. Il ne reste rien à régler.`
          : it.dueOn
            ? `La facture ${it.number} est à régler le ${day(it.dueOn)} : ${due}.`
            : `La facture ${it.number} est à régler : ${due}.`,
        rows: [
          ['Facture', it.number],
          ['Total', amount(it)],
          ['Reste à régler', due],
          ...(isDue && it.dueOn ? [['Échéance', day(it.dueOn)] as const] : []),
        ],
        action: isDue ? PAY : VIEW_INVOICE,
      }
    },
    order_placed: (it) => ({
      title: `Nous avons passé une commande pour vous : ${amount(it)}`,
      body: it.dueOn
        ? `Votre commande ${it.number} attend votre paiement de ${amount(it)} jusqu’au ${day(it.dueOn)}. Si vous n’en voulez pas, vous n’avez rien à faire : elle prendra fin ce jour-là.`
        : `Nous avons passé la commande ${it.number} pour vous. Il n’y a rien à régler.`,
      rows: [
        ['Commande', it.number],
        ['Total', amount(it)],
        ...(it.dueOn ? [['Échéance', day(it.dueOn)] as const] : []),
      ],
      action: it.dueOn ? PAY : VIEW_INVOICE,
    }),
    invoice_paid: (it) => ({
      title: `Nous avons reçu votre paiement de ${amount(it)}`,
      body: `La facture ${it.number} de ${amount(it)} est réglée. Merci.`,
      rows: [
        ['Facture', it.number],
        ['Montant réglé', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_failed: (it) => ({
      title: `Votre paiement de ${amount(it)} a échoué`,
      body: `Le paiement de ${amount(it)}${it.number ? ` pour la facture ${it.number}` : ''} n’a pas abouti. ${PAYMENT_FAILURES[it.why]} Vous pouvez réessayer à tout moment.`,
      rows: [
        ...(it.number ? [['Facture', it.number] as const] : []),
        ['Reste à régler', amount(it)],
      ],
      action: PAY,
    }),
    payment_action_required: (it) => ({
      title: `Merci de confirmer votre paiement de ${amount(it)}`,
      body: `Votre banque vous demande de confirmer le paiement de ${amount(it)}${it.number ? ` pour la facture ${it.number}` : ''}.`,
      rows: [...(it.number ? [['Facture', it.number] as const] : []), ['Montant', amount(it)]],
      action: 'Confirmer le paiement',
    }),
    refund_made: (it) => ({
      title: `Votre remboursement de ${amount(it)}`,
      body: it.toCredit
        ? `Nous avons ajouté ${amount(it)} à votre crédit pour la facture ${it.number}.`
        : `Nous avons remboursé ${amount(it)} de la facture ${it.number} sur votre moyen de paiement. Le versement peut prendre quelques jours.`,
      rows: [
        ['Facture', it.number],
        ['Remboursement', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    credit_added: (it) => ({
      title: `Votre crédit a augmenté de ${amount(it)}`,
      body: `Nous avons ajouté ${amount(it)} à votre crédit. ${CREDIT_REASONS[it.why]}`,
      rows: [['Montant crédité', amount(it)]],
      action: 'Voir votre crédit',
    }),
    out_of_stock_credit: (it) =>
      it.amountCents > 0
        ? {
            title: 'Le produit commandé est épuisé',
            body: `Votre paiement est arrivé après la dernière vente. Nous avons ajouté ${amount(it)} à votre crédit.`,
            rows: [['Montant crédité', amount(it)]],
          }
        : {
            title: 'Le produit commandé est épuisé',
            body: 'Le dernier exemplaire a été vendu pendant le traitement de votre commande. Rien ne vous a été facturé.',
          },
    service_active: (it) =>
      it.delivery === 'none'
        ? {
            title: `${it.name} est actif`,
            body: 'Votre paiement est arrivé et votre service est actif.',
            action: OPEN_SERVICE,
          }
        : it.delivery === 'manual' || it.delivery === 'webhook'
          ? {
              title: `${it.name} est prêt`,
              body: 'Votre service a été livré. Sa page contient tout ce dont vous avez besoin.',
              action: OPEN_SERVICE,
            }
          : {
              title: `${it.name} est prêt`,
              body: it.address
                ? `Votre serveur vous attend à l’adresse ${it.address}.`
                : 'Votre serveur est prêt.',
              rows: it.address ? [['Adresse', it.address]] : [],
              action: OPEN_SERVER,
            },
    service_failed: (it) =>
      hasServer(it)
        ? {
            title: `${it.name} n’a pas encore pu être installé`,
            body: 'Votre paiement est en sécurité. Nous examinons le problème : nous installerons votre serveur ou nous vous rembourserons.',
            action: OPEN_SERVER,
          }
        : {
            title: `${it.name} n’a pas encore pu être livré`,
            body: 'Votre paiement est en sécurité. Nous examinons le problème : nous livrerons votre service ou nous vous rembourserons.',
            action: OPEN_SERVICE,
          },
    delivery_begun: (it) => ({
      title: `Nous préparons ${it.name}`,
      body: `Votre paiement est arrivé. Nous livrerons votre service au plus tard le ${day(it.dueOn)} et vous préviendrons dès qu’il sera prêt.`,
      rows: [['Livraison au plus tard', day(it.dueOn)]],
      action: OPEN_SERVICE,
    }),
    service_reinstalled: (it) => ({
      title: `${it.name} a été réinstallé`,
      body: 'La réinstallation est terminée. Vous pouvez démarrer votre serveur.',
      action: OPEN_SERVER,
    }),
    service_reinstall_failed: (it) => ({
      title: `${it.name} n’a pas pu être réinstallé`,
      body: 'La réinstallation a échoué. Vérifiez vos réglages et réessayez, ou contactez-nous.',
      action: OPEN_SERVER,
    }),
    server_crashed: (it) => ({
      title: `${it.name} s’est arrêté de façon inattendue`,
      body: 'La fin de sa console en montre la raison. Nous vous envoyons au plus trois de ces messages par jour.',
      action: 'Ouvrir la console',
    }),
    service_suspended: (it) => ({
      title: `${it.name} est suspendu`,
      body: it.unpaid
        ? `Rien n’a été supprimé. Réglez le montant dû et le ${nounOf(it)} redevient aussitôt disponible.`
        : 'Rien n’a été supprimé. Contactez-nous pour en savoir plus.',
      action: openOf(it),
    }),
    service_reactivated: (it) => ({
      title: `${it.name} est de nouveau disponible`,
      body: !hasServer(it)
        ? 'Le service n’est plus suspendu.'
        : 'Le serveur n’est plus suspendu. Vous pouvez le redémarrer.',
      action: openOf(it),
    }),
    service_ended: (it) => ({
      title: `${it.name} a pris fin`,
      body: it.deleteOn
        ? `Le serveur a été arrêté. Ses données seront supprimées le ${day(it.deleteOn)}.`
        : !hasServer(it)
          ? 'Le service est terminé. Il ne vous sera plus facturé.'
          : 'Le serveur a été arrêté et ses données ont été supprimées.',
      rows: it.deleteOn ? [['Suppression des données', day(it.deleteOn)]] : [],
      action: OPEN_SERVICE,
    }),
    service_ending: (it) => ({
      title: `${it.name} prend fin le ${day(it.endsOn)}`,
      body: 'Il ne sera pas renouvelé. Pour le conserver, renouvelez-le avant cette date.',
      rows: [['Date de fin', day(it.endsOn)]],
      action: 'Le renouveler',
    }),
    renewal_invoice: (it) => ({
      title: `Renouvellement de ${it.name} : ${amount(it)}`,
      body: `Le renouvellement de ${it.name} pour la prochaine période est à régler le ${day(it.dueOn)} : ${amount(it)}.`,
      rows: [
        ['Facture', it.number],
        ['Période', `${day(it.startsOn)} – ${day(it.endsOn)}`],
        ['Reste à régler', amount(it)],
        ['Échéance', day(it.dueOn)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_reminder: (it) => ({
      title: `Rappel de paiement : ${amount(it)} pour ${it.name}`,
      body:
        it.next === 'nothing'
          ? `Il reste ${amount(it)} à régler pour l’utilisation du ${nounOf(it)} jusqu’à sa fin. L’échéance de la facture était le ${day(it.dueOn)}.`
          : it.next === 'end'
            ? `Le montant de ${amount(it)} était à régler le ${day(it.dueOn)}. Le ${nounOf(it)} est suspendu. Sans paiement, il prendra fin le ${day(it.on)}${!hasServer(it) ? '' : ' et ses données seront supprimées quelques jours plus tard'}.`
            : `Le montant de ${amount(it)} est à régler le ${day(it.dueOn)}. Sans paiement, nous suspendrons le ${nounOf(it)} le ${day(it.on)}.`,
      rows: [
        ['Facture', it.number],
        ['Reste à régler', amount(it)],
        ['Échéance', day(it.dueOn)],
        ...(it.next === 'nothing'
          ? []
          : [[it.next === 'end' ? 'Date de fin' : 'Suspension', day(it.on)] as const]),
      ],
      action: PAY,
    }),
    price_change: (it) => ({
      title: `Le prix de ${it.name} change`,
      body: `La première période qui commence le ${day(it.effectiveFrom)} ou après coûtera ${amount(it)}. Vous pouvez résilier avant cette date.`,
      rows: [
        ['Nouveau prix', amount(it)],
        ['À partir du', day(it.effectiveFrom)],
      ],
      action: openOf(it),
    }),
    service_upgraded: (it) => ({
      title: `${it.name} est passé à ${it.product}`,
      body: !hasServer(it)
        ? 'Le changement est terminé.'
        : 'Le changement est terminé. Redémarrez le serveur pour profiter de ses nouvelles limites.',
      action: openOf(it),
    }),
    free_days: (it) => ({
      title:
        it.days === 1
          ? `1 jour offert pour ${it.name}`
          : `${it.days} jours offerts pour ${it.name}`,
      body: `${it.reason} Votre prochaine période commence le ${day(it.until)}. Ces jours ne vous sont pas facturés.`,
      rows: [
        ['Jours offerts', String(it.days)],
        ['Prochaine période', day(it.until)],
      ],
      action: openOf(it),
    }),
    upgrade_failed: (it) => ({
      title: `${it.name} n’a pas pu passer à ${it.product}`,
      body: it.isPaidBack
        ? `Le ${nounOf(it)} reste inchangé. Nous avons ajouté à votre crédit ce que vous avez payé pour ce changement.`
        : `Le ${nounOf(it)} reste inchangé.`,
      action: openOf(it),
    }),
    upgrade_waiting: (it) => ({
      title: `${it.name} ne peut pas encore passer à ${it.product}`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} Nous réessayons jusqu’au ${day(it.until)}. Ensuite, le serveur et son prix restent inchangés.`,
      action: OPEN_SERVER,
    }),
    invitation: (it) => ({
      title: `${it.inviter} partage ${it.service} avec vous`,
      body: 'Ouvrez l’invitation pour l’accepter ou la refuser.',
      action: 'Ouvrir l’invitation',
    }),
    commission_earned: (it) => ({
      title: `Vous avez gagné ${amount(it)}`,
      body: 'Un client que vous avez recommandé a payé. Vous pourrez utiliser votre commission à la fin du délai d’attente.',
      rows: [['Commission', amount(it)]],
      action: COMMISSION,
    }),
    commission_available: (it) => ({
      title: `Commission disponible : ${amount(it)}`,
      body: `Le délai d’attente est terminé. Vous pouvez convertir vos commissions en crédit à partir de ${formatAmount(2000, it.currency, 'fr')}.`,
      rows: [['Disponible', amount(it)]],
      action: COMMISSION,
    }),
    commission_reversed: (it) => ({
      title: `Commission annulée : ${amount(it)}`,
      body: 'Un paiement d’un client que vous avez recommandé a été remboursé, contesté auprès de sa banque ou n’a pas été accepté.',
      rows: [['Annulée', amount(it)]],
      action: COMMISSION,
    }),
    commission_restored: (it) => ({
      title: `Commission rétablie : ${amount(it)}`,
      body: 'Un paiement qui avait été contesté a finalement été réglé.',
      rows: [['Rétablie', amount(it)]],
      action: COMMISSION,
    }),
    impersonated: () => ({
      title: 'Un membre de notre équipe consulte votre compte',
      body: 'Pendant 30 minutes au plus, cette personne voit ce que vous voyez. Elle ne peut ni voir ni changer vos moyens de connexion ou de paiement.',
    }),
    admin_attention: (it) => ({ action: 'Voir les détails', ...attentionText(attention, it) }),
    password_changed: () => ({
      title: 'Votre mot de passe a été changé',
      body: `Vous avez été déconnecté partout et vos clés API ont été révoquées. ${NOT_YOU}`,
      action: SECURITY,
    }),
    registration_attempted: () => ({
      title: 'Tentative d’inscription avec votre adresse',
      body: 'Vous avez déjà un compte : aucun autre n’a été ouvert. Si c’était vous, connectez-vous, ou réinitialisez votre mot de passe si vous l’avez oublié. Sinon, vous n’avez rien à faire.',
      action: 'Accéder à votre compte',
    }),
    session_stolen: () => ({
      title: 'Nous avons fermé une de vos sessions',
      body: `Un de ses jetons a servi deux fois : quelqu’un l’a peut-être copié. ${NOT_YOU}`,
      action: SECURITY,
    }),
    application_stolen: (it) => ({
      title: `Nous avons mis fin à votre connexion à ${it.application}`,
      body: `Un jeton que ${it.application} détient pour votre compte a servi deux fois : quelqu’un l’a peut-être copié. Reconnectez-vous à cette application. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} protège désormais votre compte`,
      body: `La connexion exige désormais un second facteur. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} a été retirée de votre compte`,
      body: `Elle ne permet plus de se connecter. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_codes_made: () => ({
      title: 'Vous avez de nouveaux codes de secours',
      body: `Les anciens codes ne fonctionnent plus. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_code_used: (it) => ({
      title: 'Un code de secours a été utilisé',
      body: `Il vous reste ${it.left <= 1 ? `${it.left} code` : `${it.left} codes`}. ${NOT_YOU}`,
      action: SECURITY,
    }),
    passkey_copied: (it) => ({
      title: `La clé d’accès ${it.name} a été refusée`,
      body: 'Son compteur a reculé : il en existe peut-être une copie. Retirez cette clé, sauf si vous en connaissez la raison.',
      action: SECURITY,
    }),
    account_connected: (it) => ({
      title: `Le compte ${providerName(it.provider)} ${it.name} a été lié`,
      body: `Il est désormais lié à votre compte. ${NOT_YOU}`,
      action: SECURITY,
    }),
    account_disconnected: (it) => ({
      title: `Le compte ${providerName(it.provider)} ${it.name} a été dissocié`,
      body: `Il n’est plus lié à votre compte. ${NOT_YOU}`,
      action: SECURITY,
    }),
    vat_number_invalid: (it) => ({
      title: `Votre numéro de TVA ${it.vatNumber} n’a pas pu être confirmé`,
      body: 'Il ne figure pas dans le registre de l’UE (VIES). Vos prochaines factures comporteront la TVA tant que votre profil n’a pas de numéro valide. Les factures déjà émises ne changent pas.',
      action: 'Vérifier la facturation',
    }),
    ticket_opened: (it) => ({
      title: `Nous vous avons écrit : ticket ${it.number}`,
      body: `Un message vous attend dans le ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_answered: (it) => ({
      title: `Réponse au ticket ${it.number}`,
      body: `Le ticket ${it.number} contient un nouveau message.${attachedText('fr', it.files)}`,
      action: VIEW_TICKET,
    }),
    ticket_closed: (it) => ({
      title: `Le ticket ${it.number} est fermé`,
      body: `Nous avons fermé le ticket ${it.number}. S’il reste quelque chose à régler, écrivez-y : il sera rouvert.`,
      action: VIEW_TICKET,
    }),
    ticket_closing: (it) => ({
      title: `Le ticket ${it.number} sera fermé le ${day(it.closesOn)}`,
      body: `Une réponse vous attend dans le ticket ${it.number}, et rien n’y a été écrit depuis. S’il reste quelque chose à régler, écrivez-y : il restera ouvert.`,
      action: VIEW_TICKET,
    }),
    ticket_new: (it) => ({
      title: `Nouveau ticket ${it.number}`,
      body: `Un client a ouvert le ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_assigned: (it) => ({
      title: `Le ticket ${it.number} vous est attribué`,
      body: `Le ticket ${it.number} vous a été attribué.`,
      action: VIEW_TICKET,
    }),
    ticket_customer_replied: (it) => ({
      title: `Un client a écrit dans le ticket ${it.number}`,
      body: `Le ticket ${it.number} contient un nouveau message du client.${attachedText('fr', it.files)}`,
      action: VIEW_TICKET,
    }),
    mail_undeliverable: (it) => ({
      title: 'Nos e-mails ne vous parviennent pas',
      body: `Le serveur de messagerie de ${it.address} indique que cette adresse n’existe pas. Nous n’y envoyons plus rien tant que vous ne la confirmez pas à nouveau ou n’en choisissez pas une autre.`,
    }),
    incident_opened: (it) => ({
      title: `Incident : ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_updated: (it) => ({
      title: `Incident, point de situation : ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_resolved: (it) => ({
      title: `Résolu : ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    maintenance_planned: (it) => ({
      title: `Maintenance prévue : ${it.title}`,
      body: `${it.text}\n\n${times(it)}`,
      action: VIEW_STATUS,
    }),
    maintenance_changed: (it) => ({
      title: `${maintenance(it.step)}${it.title}`,
      body: it.step === 'changed' ? `${it.text}\n\n${times(it)}` : it.text,
      action: VIEW_STATUS,
    }),
    announcement: ({ title, body }) => ({ title, body, action: 'En savoir plus' }),
  },
  mails: {
    verify_email: () => ({
      title: 'Confirmez votre adresse e-mail',
      body: 'Merci de confirmer que cette adresse e-mail est bien la vôtre.',
      action: 'Confirmer l’adresse',
      after: NOT_ASKED,
    }),
    reset_password: () => ({
      title: 'Réinitialisez votre mot de passe',
      body: 'Vous avez demandé à réinitialiser votre mot de passe. Utilisez le bouton pour en choisir un nouveau.',
      action: 'Choisir un nouveau mot de passe',
      after: NOT_ASKED,
    }),
    account_created: () => ({
      title: 'Votre compte est prêt',
      body: 'Nous avons créé un compte pour vous avec cette adresse e-mail. Utilisez le bouton pour choisir un mot de passe. Le lien est valable 7 jours.',
      action: 'Choisir un mot de passe',
      after: 'Si vous n’attendez pas de compte chez nous, ignorez cet e-mail.',
    }),
    service_invitation: ({ inviter, service }) => ({
      title: `${inviter} partage un serveur avec vous`,
      body: `${inviter} vous invite à utiliser le serveur ${service}.`,
      action: 'Ouvrir l’invitation',
      after: 'Si vous ne connaissez pas cette personne, ignorez cet e-mail.',
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'Une nouvelle adresse e-mail pour votre compte',
      body: `Une demande vise à remplacer cette adresse par ${newEmail}. Cette adresse reste valable jusqu’à la confirmation de la nouvelle. ${NOT_YOU}`,
    }),
    mail_test: () => ({
      title: 'E-mail de test',
      body: 'Votre serveur de messagerie a accepté cet e-mail. Les e-mails destinés à vos clients sont envoyés de la même manière.',
    }),
    staff_message: ({ subject, text }) => ({ title: subject, body: text }),
    more_attention: ({ times }) => ({
      title: 'D’autres points requièrent votre attention',
      body: `Plus de ${times} points sont apparus en une heure : les autres ne sont pas envoyés par e-mail. Vous les trouverez tous dans vos notifications.`,
      action: 'Voir les notifications',
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Votre adresse e-mail a été changée',
      body: `Votre compte utilise désormais ${newEmail} à la place de cette adresse. ${NOT_YOU}`,
    }),
  },
}
