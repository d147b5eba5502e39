import { formatAmount } from '#lib/currency.ts'
import { withArticle } from '#lib/italian-days.ts'
import { attachedText } from '../attached.ts'
import { attentionText } from '../attention.ts'
import { dayText, timesText } from '../days.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'it')
}

function day(value: string): string {
  return dayText(value, 'it-IT')
}

/** How the title of an update of maintenance begins. */
function maintenance(step: string): string {
  if (step === 'canceled') return 'Manutenzione annullata: '
  return step === 'completed' ? 'Manutenzione completata: ' : 'Manutenzione, aggiornamento: '
}

/** When planned maintenance takes place. */
function times(facts: { startsAt: string; endsAt: string }): string {
  return timesText(facts, 'it-IT')
}

const VIEW_STATUS = 'Vedi lo stato'
function onDay(value: string): string {
  return withArticle('il', day(value))
}

const VIEW_TICKET = 'Vedi il ticket'
const NOT_YOU = 'Se non riconosci questa operazione, cambia la password e contattaci.'
const NOT_ASKED = 'Se questa richiesta non è tua, ignora questa email.'
const VIEW_INVOICE = 'Vedi la fattura'
const PAY = 'Paga ora'
const OPEN_SERVICE = 'Vedi il servizio'
const OPEN_SERVER = 'Apri il server'
const SECURITY = 'Controlla la sicurezza'
const COMMISSION = 'Vedi le tue commissioni'
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }
const hasServer = ({ delivery }: Delivered) => (delivery ?? 'server') === 'server'
const openOf = (it: Delivered) => (hasServer(it) ? OPEN_SERVER : OPEN_SERVICE)
const nounOf = (it: Delivered) => (hasServer(it) ? 'server' : 'servizio')
const UPGRADE_OBSTACLES = {
  no_capacity: 'Al momento non c’è posto.',
  disk_in_use:
    'Occupa più spazio su disco di quanto ne prevede il nuovo piano: elimina ciò che non ti serve.',
  ports_in_use: 'Ha più porte di quante ne prevede il nuovo piano: rimuovine alcune.',
  databases_in_use: 'Ha più database di quanti ne prevede il nuovo piano: eliminane alcuni.',
  backups_in_use: 'Ha più backup di quanti ne prevede il nuovo piano: eliminane alcuni.',
}
const FACTORS = { totp: 'Un’app di autenticazione', passkey: 'Una passkey' }

/** Notifications and mails in Italian. */
export const texts: Texts = {
  greeting: (name) => (name ? `Ciao ${name},` : 'Ciao,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => {
      const due = formatAmount(it.dueCents, it.currency, 'it')
      const isDue = it.dueCents > 0
      return {
        title: `La tua fattura di ${amount(it)}`,
        body: !isDue
          ? `Ecco la tua fattura ${it.number} di ${amount(it)}. Non resta nulla da pagare.`
          : it.dueOn
            ? `La fattura ${it.number} è da pagare entro ${onDay(it.dueOn)}: ${due}.`
            : `La fattura ${it.number} è da pagare: ${due}.`,
        rows: [
          ['Fattura', it.number],
          ['Totale', amount(it)],
          ['Da pagare', due],
          ...(isDue && it.dueOn ? [['Scadenza', day(it.dueOn)] as const] : []),
        ],
        action: isDue ? PAY : VIEW_INVOICE,
      }
    },
    order_placed: (it) => ({
      title: `Abbiamo effettuato un ordine per te: ${amount(it)}`,
      body: it.dueOn
        ? `Il tuo ordine ${it.number} attende il tuo pagamento di ${amount(it)} entro ${onDay(it.dueOn)}. Se non lo vuoi, non devi fare nulla: terminerà quel giorno.`
        : `Abbiamo effettuato per te l’ordine ${it.number}. Non c’è nulla da pagare.`,
      rows: [
        ['Ordine', it.number],
        ['Totale', amount(it)],
        ...(it.dueOn ? [['Da pagare entro', day(it.dueOn)] as const] : []),
      ],
      action: it.dueOn ? PAY : VIEW_INVOICE,
    }),
    invoice_paid: (it) => ({
      title: `Abbiamo ricevuto il tuo pagamento di ${amount(it)}`,
      body: `La fattura ${it.number} di ${amount(it)} è pagata. Grazie.`,
      rows: [
        ['Fattura', it.number],
        ['Importo pagato', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_failed: (it) => ({
      title: `Il tuo pagamento di ${amount(it)} non è riuscito`,
      body: `Non siamo riusciti a incassare ${amount(it)}${it.number ? ` per la fattura ${it.number}` : ''}. ${PAYMENT_FAILURES[it.why]} Puoi effettuare il pagamento in qualsiasi momento.`,
      rows: [...(it.number ? [['Fattura', it.number] as const] : []), ['Da pagare', amount(it)]],
      action: PAY,
    }),
    payment_action_required: (it) => ({
      title: `Conferma il tuo pagamento di ${amount(it)}`,
      body: `La tua banca ti chiede di confermare il pagamento di ${amount(it)}${it.number ? ` per la fattura ${it.number}` : ''}.`,
      rows: [...(it.number ? [['Fattura', it.number] as const] : []), ['Importo', amount(it)]],
      action: 'Conferma il pagamento',
    }),
    refund_made: (it) => ({
      title: `Il tuo rimborso di ${amount(it)}`,
      body: it.toCredit
        ? `Abbiamo aggiunto ${amount(it)} al tuo credito per la fattura ${it.number}.`
        : `Abbiamo rimborsato ${amount(it)} della fattura ${it.number} sul tuo metodo di pagamento. L’accredito può richiedere qualche giorno.`,
      rows: [
        ['Fattura', it.number],
        ['Rimborso', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    credit_added: (it) => ({
      title: `Il tuo credito è aumentato di ${amount(it)}`,
      body: `Abbiamo aggiunto ${amount(it)} al tuo credito. ${CREDIT_REASONS[it.why]}`,
      rows: [['Credito aggiunto', amount(it)]],
      action: 'Vedi il tuo credito',
    }),
    out_of_stock_credit: (it) =>
      it.amountCents > 0
        ? {
            title: 'Il prodotto che hai ordinato è esaurito',
            body: `Il tuo pagamento è arrivato quando l’ultimo era già stato venduto. Abbiamo aggiunto ${amount(it)} al tuo credito.`,
            rows: [['Credito aggiunto', amount(it)]],
          }
        : {
            title: 'Il prodotto che hai ordinato è esaurito',
            body: 'L’ultimo è stato venduto mentre elaboravamo il tuo ordine. Non ti abbiamo addebitato nulla.',
          },
    service_active: (it) =>
      it.delivery === 'none'
        ? {
            title: `${it.name} è attivo`,
            body: 'Il tuo pagamento è arrivato e il servizio è attivo.',
            action: OPEN_SERVICE,
          }
        : it.delivery === 'manual' || it.delivery === 'webhook'
          ? {
              title: `${it.name} è pronto`,
              body: 'Abbiamo consegnato il tuo servizio. Sulla sua pagina trovi tutto ciò che ti serve.',
              action: OPEN_SERVICE,
            }
          : {
              title: `${it.name} è pronto`,
              body: it.address
                ? `Il tuo server è pronto: gioca su ${it.address}.`
                : 'Il tuo server è pronto.',
              rows: it.address ? [['Indirizzo', it.address]] : [],
              action: OPEN_SERVER,
            },
    service_failed: (it) =>
      hasServer(it)
        ? {
            title: `Non siamo ancora riusciti a installare ${it.name}`,
            body: 'Il tuo pagamento è al sicuro. Stiamo esaminando il problema: installeremo il tuo server o ti rimborseremo.',
            action: OPEN_SERVER,
          }
        : {
            title: `Non siamo ancora riusciti a consegnare ${it.name}`,
            body: 'Il tuo pagamento è al sicuro. Stiamo esaminando il problema: consegneremo il tuo servizio o ti rimborseremo.',
            action: OPEN_SERVICE,
          },
    delivery_begun: (it) => ({
      title: `Stiamo preparando ${it.name}`,
      body: `Il tuo pagamento è arrivato. Consegneremo il servizio entro ${onDay(it.dueOn)} e ti avviseremo quando sarà pronto.`,
      rows: [['Consegna entro', day(it.dueOn)]],
      action: OPEN_SERVICE,
    }),
    service_reinstalled: (it) => ({
      title: `${it.name} è stato reinstallato`,
      body: 'La reinstallazione è completa. Puoi avviare il tuo server.',
      action: OPEN_SERVER,
    }),
    service_reinstall_failed: (it) => ({
      title: `Non è stato possibile reinstallare ${it.name}`,
      body: 'La reinstallazione non è riuscita. Controlla le impostazioni e riprova, oppure contattaci.',
      action: OPEN_SERVER,
    }),
    server_crashed: (it) => ({
      title: `${it.name} è andato in crash`,
      body: 'Le ultime righe della console mostrano il motivo. Ti inviamo al massimo tre di questi messaggi al giorno.',
      action: 'Apri la console',
    }),
    service_suspended: (it) => ({
      title: `${it.name} è sospeso`,
      body: it.unpaid
        ? `Non è stato eliminato nulla. Paga l’importo dovuto e il ${nounOf(it)} torna subito disponibile.`
        : 'Non è stato eliminato nulla. Contattaci per saperne di più.',
      action: openOf(it),
    }),
    service_reactivated: (it) => ({
      title: `${it.name} è di nuovo disponibile`,
      body: !hasServer(it)
        ? 'Il servizio non è più sospeso.'
        : 'Il server non è più sospeso. Puoi riavviarlo.',
      action: openOf(it),
    }),
    service_ended: (it) => ({
      title: `${it.name} è terminato`,
      body: it.deleteOn
        ? `Il server è stato arrestato. I suoi dati verranno eliminati ${onDay(it.deleteOn)}.`
        : !hasServer(it)
          ? 'Il servizio è terminato. Non ti verrà addebitato più nulla.'
          : 'Il server è stato arrestato e i suoi dati sono stati eliminati.',
      rows: it.deleteOn ? [['Eliminazione dei dati', day(it.deleteOn)]] : [],
      action: OPEN_SERVICE,
    }),
    service_ending: (it) => ({
      title: `${it.name} termina ${onDay(it.endsOn)}`,
      body: 'Non è previsto il rinnovo automatico. Per mantenere il servizio, rinnovalo prima di quel giorno.',
      rows: [['Data di fine', day(it.endsOn)]],
      action: 'Rinnova',
    }),
    renewal_invoice: (it) => ({
      title: `Rinnovo di ${it.name}: ${amount(it)}`,
      body: `Il prossimo periodo di ${it.name} è da pagare entro ${onDay(it.dueOn)}: ${amount(it)}.`,
      rows: [
        ['Fattura', it.number],
        ['Periodo', `${day(it.startsOn)} – ${day(it.endsOn)}`],
        ['Da pagare', amount(it)],
        ['Scadenza', day(it.dueOn)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_reminder: (it) => ({
      title: `Sollecito di pagamento: ${amount(it)} per ${it.name}`,
      body:
        it.next === 'nothing'
          ? `Restano da pagare ${amount(it)} per il periodo fino alla fine del ${nounOf(it)}. La scadenza della fattura era ${onDay(it.dueOn)}.`
          : it.next === 'end'
            ? `L’importo di ${amount(it)} era da pagare entro ${onDay(it.dueOn)}. Il ${nounOf(it)} è sospeso. Senza pagamento terminerà ${onDay(it.on)}${!hasServer(it) ? '' : ' e i suoi dati verranno eliminati qualche giorno dopo'}.`
            : `L’importo di ${amount(it)} è da pagare entro ${onDay(it.dueOn)}. Senza pagamento sospenderemo il ${nounOf(it)} ${onDay(it.on)}.`,
      rows: [
        ['Fattura', it.number],
        ['Da pagare', amount(it)],
        ['Scadenza', day(it.dueOn)],
        ...(it.next === 'nothing'
          ? []
          : [[it.next === 'end' ? 'Data di fine' : 'Sospensione', day(it.on)] as const]),
      ],
      action: PAY,
    }),
    price_change: (it) => ({
      title: `Il prezzo di ${it.name} cambia`,
      body: `Il primo periodo che inizia ${onDay(it.effectiveFrom)} o dopo costa ${amount(it)}. Puoi disdire prima di quella data.`,
      rows: [
        ['Nuovo prezzo', amount(it)],
        ['A partire da', day(it.effectiveFrom)],
      ],
      action: openOf(it),
    }),
    service_upgraded: (it) => ({
      title: `${it.name} è passato a ${it.product}`,
      body: !hasServer(it)
        ? 'Il cambio è completo.'
        : 'Il cambio è completo. Riavvia il server per usare i nuovi limiti.',
      action: openOf(it),
    }),
    free_days: (it) => ({
      title:
        it.days === 1
          ? `1 giorno gratuito per ${it.name}`
          : `${it.days} giorni gratuiti per ${it.name}`,
      body: `${it.reason} Il tuo prossimo periodo inizia ${onDay(it.until)}. Per questi giorni non paghi nulla.`,
      rows: [
        ['Giorni gratuiti', String(it.days)],
        ['Prossimo periodo', day(it.until)],
      ],
      action: openOf(it),
    }),
    upgrade_failed: (it) => ({
      title: `Il passaggio di ${it.name} a ${it.product} non è riuscito`,
      body: it.isPaidBack
        ? `Il ${nounOf(it)} resta com’era. Abbiamo aggiunto al tuo credito ciò che hai pagato per il cambio.`
        : `Il ${nounOf(it)} resta com’era.`,
      action: openOf(it),
    }),
    upgrade_waiting: (it) => ({
      title: `${it.name} non può ancora passare a ${it.product}`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} Continuiamo a riprovare fino ${withArticle('al', day(it.until))}. Dopo, il server e il suo prezzo restano come sono.`,
      action: OPEN_SERVER,
    }),
    invitation: (it) => ({
      title: `${it.inviter} condivide ${it.service} con te`,
      body: 'Apri l’invito per accettarlo o rifiutarlo.',
      action: 'Apri l’invito',
    }),
    commission_earned: (it) => ({
      title: `Hai guadagnato ${amount(it)}`,
      body: 'Un cliente arrivato grazie a te ha pagato. Potrai usare la tua commissione dopo il periodo di attesa.',
      rows: [['Commissione', amount(it)]],
      action: COMMISSION,
    }),
    commission_available: (it) => ({
      title: `Commissione disponibile: ${amount(it)}`,
      body: `Il periodo di attesa è finito. Puoi convertire le commissioni in credito a partire da ${formatAmount(2000, it.currency, 'it')}.`,
      rows: [['Disponibile', amount(it)]],
      action: COMMISSION,
    }),
    commission_reversed: (it) => ({
      title: `Commissione stornata: ${amount(it)}`,
      body: 'Il pagamento di un cliente arrivato grazie a te è stato rimborsato, stornato dalla banca o non accettato.',
      rows: [['Stornata', amount(it)]],
      action: COMMISSION,
    }),
    commission_restored: (it) => ({
      title: `Commissione ripristinata: ${amount(it)}`,
      body: 'Un pagamento stornato dalla banca è stato infine saldato.',
      rows: [['Ripristinata', amount(it)]],
      action: COMMISSION,
    }),
    impersonated: () => ({
      title: 'Un membro del nostro staff sta consultando il tuo account',
      body: 'Per 30 minuti al massimo vede ciò che vedi tu. Non può vedere né modificare il modo in cui accedi o paghi.',
    }),
    admin_attention: (it) => ({ action: 'Vedi i dettagli', ...attentionText(attention, it) }),
    password_changed: () => ({
      title: 'La tua password è stata cambiata',
      body: `Tutte le tue sessioni sono state chiuse e le tue chiavi API revocate. ${NOT_YOU}`,
      action: SECURITY,
    }),
    registration_attempted: () => ({
      title: 'Qualcuno ha provato a registrarsi con il tuo indirizzo',
      body: 'Hai già un account, quindi non ne è stato aperto uno nuovo. Se eri tu, accedi, oppure reimposta la password se l’hai dimenticata. Se non eri tu, non devi fare nulla.',
      action: 'Vai al tuo account',
    }),
    session_stolen: () => ({
      title: 'Abbiamo chiuso una delle tue sessioni',
      body: `Uno dei suoi token è stato usato due volte, quindi qualcuno potrebbe averlo copiato. ${NOT_YOU}`,
      action: SECURITY,
    }),
    application_stolen: (it) => ({
      title: `Abbiamo chiuso il tuo accesso a ${it.application}`,
      body: `Un token che ${it.application} conserva per il tuo account è stato usato due volte, quindi qualcuno potrebbe averlo copiato. Accedi di nuovo da lì. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} ora protegge il tuo account`,
      body: `D’ora in poi l’accesso richiede un secondo fattore. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} è stata rimossa dal tuo account`,
      body: `Non si può più usare per accedere. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_codes_made: () => ({
      title: 'Hai nuovi codici di recupero',
      body: `I vecchi codici non funzionano più. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_code_used: (it) => ({
      title: 'È stato usato un codice di recupero',
      body: `${it.left === 1 ? 'Ti resta 1 codice' : `Ti restano ${it.left} codici`}. ${NOT_YOU}`,
      action: SECURITY,
    }),
    passkey_copied: (it) => ({
      title: `La passkey ${it.name} è stata rifiutata`,
      body: 'Il suo contatore è tornato indietro, quindi potrebbe esisterne una copia. Rimuovi la passkey, a meno che tu non sappia perché.',
      action: SECURITY,
    }),
    account_connected: (it) => ({
      title: `L’account ${providerName(it.provider)} ${it.name} è stato collegato`,
      body: `Ora è collegato al tuo account. ${NOT_YOU}`,
      action: SECURITY,
    }),
    account_disconnected: (it) => ({
      title: `L’account ${providerName(it.provider)} ${it.name} è stato scollegato`,
      body: `Non è più collegato al tuo account. ${NOT_YOU}`,
      action: SECURITY,
    }),
    vat_number_invalid: (it) => ({
      title: `Non è stato possibile confermare la tua partita IVA ${it.vatNumber}`,
      body: 'Non è nel registro dell’UE (VIES). Le tue prossime fatture includeranno l’IVA finché il tuo profilo non avrà una partita IVA valida. Le fatture esistenti non cambiano.',
      action: 'Controlla la fatturazione',
    }),
    ticket_opened: (it) => ({
      title: `Ti abbiamo scritto: ticket ${it.number}`,
      body: `C’è un messaggio per te nel ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_answered: (it) => ({
      title: `Risposta al ticket ${it.number}`,
      body: `C’è un nuovo messaggio nel ticket ${it.number}.${attachedText('it', it.files)}`,
      action: VIEW_TICKET,
    }),
    ticket_closed: (it) => ({
      title: `Il ticket ${it.number} è chiuso`,
      body: `Abbiamo chiuso il ticket ${it.number}. Se resta qualcosa da risolvere, scrivi un messaggio e sarà riaperto.`,
      action: VIEW_TICKET,
    }),
    ticket_closing: (it) => ({
      title: `Il ticket ${it.number} sarà chiuso ${onDay(it.closesOn)}`,
      body: `C’è una risposta nel ticket ${it.number} e da allora non è stato scritto nulla. Se resta qualcosa da risolvere, scrivi un messaggio e resterà aperto.`,
      action: VIEW_TICKET,
    }),
    ticket_new: (it) => ({
      title: `Nuovo ticket ${it.number}`,
      body: `Un cliente ha aperto il ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_assigned: (it) => ({
      title: `Il ticket ${it.number} è assegnato a te`,
      body: `Il ticket ${it.number} ti è stato assegnato.`,
      action: VIEW_TICKET,
    }),
    ticket_customer_replied: (it) => ({
      title: `Un cliente ha scritto nel ticket ${it.number}`,
      body: `C’è un nuovo messaggio del cliente nel ticket ${it.number}.${attachedText('it', it.files)}`,
      action: VIEW_TICKET,
    }),
    mail_undeliverable: (it) => ({
      title: 'Le nostre email non ti arrivano',
      body: `Il server di posta di ${it.address} dice che questo indirizzo non esiste. Non vi inviamo più nulla finché non lo confermi di nuovo o non ne scegli un altro.`,
    }),
    incident_opened: (it) => ({
      title: `Disservizio: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_updated: (it) => ({
      title: `Disservizio, aggiornamento: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_resolved: (it) => ({
      title: `Risolto: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    maintenance_planned: (it) => ({
      title: `Manutenzione programmata: ${it.title}`,
      body: `${it.text}\n\n${times(it)}`,
      action: VIEW_STATUS,
    }),
    maintenance_changed: (it) => ({
      title: `${maintenance(it.step)}${it.title}`,
      body: it.step === 'changed' ? `${it.text}\n\n${times(it)}` : it.text,
      action: VIEW_STATUS,
    }),
    announcement: ({ title, body }) => ({ title, body, action: 'Leggi di più' }),
  },
  mails: {
    verify_email: () => ({
      title: 'Conferma il tuo indirizzo email',
      body: 'Conferma che questo è il tuo indirizzo email.',
      action: 'Conferma l’indirizzo',
      after: NOT_ASKED,
    }),
    reset_password: () => ({
      title: 'Reimposta la tua password',
      body: 'Hai chiesto di reimpostare la password. Usa il pulsante per sceglierne una nuova.',
      action: 'Scegli una nuova password',
      after: NOT_ASKED,
    }),
    account_created: () => ({
      title: 'Il tuo account è pronto',
      body: 'Abbiamo creato un account per te con questo indirizzo email. Usa il pulsante per scegliere una password. Il link è valido per 7 giorni.',
      action: 'Scegli una password',
      after: 'Se non aspetti un account da noi, ignora questa email.',
    }),
    service_invitation: ({ inviter, service }) => ({
      title: `${inviter} condivide un server con te`,
      body: `${inviter} ti invita a usare il server ${service}.`,
      action: 'Apri l’invito',
      after: 'Se non conosci questa persona, ignora questa email.',
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'Un nuovo indirizzo email per il tuo account',
      body: `È stato chiesto di sostituire questo indirizzo con ${newEmail}. Questo indirizzo resta valido finché il nuovo non viene confermato. ${NOT_YOU}`,
    }),
    mail_test: () => ({
      title: 'Email di prova',
      body: 'Il tuo server di posta ha accettato questa email. Le email ai tuoi clienti vengono inviate allo stesso modo.',
    }),
    staff_message: ({ subject, text }) => ({ title: subject, body: text }),
    more_attention: ({ times }) => ({
      title: 'Altre questioni richiedono la tua attenzione',
      body: `In un’ora sono emerse più di ${times} questioni, quindi le altre non vengono inviate via email. Le trovi tutte nelle tue notifiche.`,
      action: 'Vedi le notifiche',
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Il tuo indirizzo email è stato cambiato',
      body: `Ora il tuo account usa ${newEmail} al posto di questo indirizzo. ${NOT_YOU}`,
    }),
  },
}
