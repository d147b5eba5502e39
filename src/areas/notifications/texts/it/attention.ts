import { withArticle } from '#lib/italian-days.ts'
import { plural } from '#lib/plural.ts'
import { type AttentionTexts, detailsIn, failureIn, type ReportWords } from '../attention.ts'
import { dayText } from '../days.ts'

function onDay(value: string): string {
  return withArticle('il', dayText(value, 'it-IT'))
}

const words: ReportWords = {
  locale: 'it',
  colon: ': ',
  labels: {
    amountCents: 'Importo',
    accountId: 'Conto',
    askedCents: 'Atteso',
    attemptId: 'Tentativo',
    code: 'Codice',
    count: 'Numero',
    disputeId: 'Contestazione',
    eventId: 'Evento',
    eventKey: 'Evento del fornitore',
    gatewayId: 'Gateway di pagamento',
    message: 'Risposta',
    name: 'Nome',
    objectId: 'ID presso il fornitore',
    paymentId: 'Pagamento',
    receivedCents: 'Ricevuto',
    refundCents: 'Rimborsato',
    refundId: 'Rimborso',
    requestedCents: 'Richiesto',
    state: 'Stato',
    statementId: 'Estratto conto',
    type: 'Tipo',
    userId: 'Cliente',
    why: 'Differenza',
  },
  failures: {
    account_busy: 'Un altro processo sta già creando l’account del cliente sul pannello.',
    backups_in_use: 'Il server ha più backup di quanti ne prevede il nuovo prodotto.',
    country_unknown: 'Il paese del cliente non è noto.',
    databases_in_use: 'Il server ha più database di quanti ne prevede il nuovo prodotto.',
    disk_in_use: 'Il server occupa più disco di quanto ne prevede il nuovo prodotto.',
    given_up: 'Un operatore lo ha annullato.',
    no_blueprint: 'Il prodotto non ha una configurazione per l’installazione.',
    no_capacity: 'Non c’è posto.',
    no_customer: 'Il cliente non esiste più.',
    no_egg: 'L’egg del prodotto non è su questo pannello.',
    no_panel: 'Nessuno dei pannelli del prodotto ha l’egg.',
    node_deleted: 'Il collegamento al pannello è stato eliminato.',
    not_done: 'Il pannello ha confermato la modifica, ma non l’ha eseguita.',
    ports_in_use: 'Il server ha più porte di quante ne prevede il nuovo prodotto.',
    server_gone: 'Il server non è sul pannello.',
    service_ended: 'Il servizio è terminato o sta per terminare.',
    tax_rate_unknown: 'Non c’è un’aliquota IVA per il paese del cliente.',
    trial_used:
      'Un altro cliente ha già provato questo prodotto con lo stesso account sul pannello.',
    unexpected: 'Non è stato possibile creare la sua fattura. Il motivo è nel log.',
    unmanaged: 'Il suo server non è su un pannello collegato. Va gestito manualmente.',
  },
}

const GOALS = {
  active: 'avviare',
  suspended: 'sospendere',
  ended: 'arrestare',
  deleted: 'eliminare',
} as const

const TASKS = {
  create: 'consegnare',
  change: 'modificare',
  suspend: 'sospendere',
  resume: 'revocare la sospensione di',
  end: 'terminare',
} as const

const DELIVERIES = {
  create: 'La consegna',
  change: 'La modifica',
  suspend: 'La sospensione',
  resume: 'La fine della sospensione',
  end: 'La fine',
} as const

const DISABLED = {
  gone: 'Ha risposto 410 Gone: non accetta più eventi.',
  failing: 'Gli invii falliscono da cinque giorni.',
} as const

function othersOf(count: number): string {
  if (count === 0) return ''
  return count === 1 ? ' e un altro servizio' : ` e altri ${count} servizi`
}

function customersOf(count: number): string {
  return `${count} ${plural('it', count, 'cliente', 'clienti')}`
}

/** What administrators are told of their work, in Italian. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title: `Non è stato possibile rinnovare ${it.name}${othersOf(it.others)}`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `Non è stato possibile reinstallare ${it.name}`,
    body: `La reinstallazione di ${it.name} sul pannello non è riuscita.`,
  }),
  upgrade_failed: (it) => ({
    title: `Non è stato possibile modificare ${it.name}`,
    body: failureIn(words, it),
  }),
  task_created: (it) => ({
    title: `Nuova attività: ${TASKS[it.action]} ${it.name}`,
    body: `Da completare entro ${onDay(it.dueOn)}.`,
  }),
  delivery_failed: ({ name, action, code, detail }) =>
    code === 'unconfirmed'
      ? {
          title: `${DELIVERIES[action]} di ${name} non è stata confermata`,
          body: `Il tuo sistema su ${detail} non l’ha confermata in tempo. Controllalo; la pagina del servizio mostra ogni tentativo.`,
        }
      : {
          title: `${DELIVERIES[action]} di ${name} non è riuscita`,
          body:
            code === 'unanswered'
              ? `Il tuo sistema non l’ha confermata in tre giorni di tentativi. Ultimo risultato: ${detail}`
              : `Risposta del tuo sistema: ${detail}`,
        },
  service_stuck: (it) => ({
    title: `Non è stato possibile ${GOALS[it.goal]} il server di ${it.name}`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `Non è stato possibile installare ${it.name}`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `${it.name} è in attesa di installazione`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'Una partita IVA non è nel registro dell’UE',
    body: `${it.email}: ${it.vatNumber}. Le prossime fatture includeranno l’IVA.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'Un egg modificato impedisce di creare nuovi server di alcuni prodotti'
      : 'Un egg usato da alcuni prodotti è cambiato',
    body: [
      `Egg: ${eggs.join(', ')}`,
      ...products.map(
        ({ name, faults }) => `${name}: ${faults || 'i nuovi server si possono creare come prima'}`,
      ),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `${name} non è più in vendita`,
    body: [
      'Non può più essere consegnato, quindi il negozio non lo mostra e non lo vende. I servizi esistenti continuano.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `L’endpoint webhook ${it.host} è stato disattivato`,
    body: `${DISABLED[it.reason]} I nuovi eventi vengono conservati e si possono inviare di nuovo.`,
  }),
  mail_server_failing: (it) => ({
    title: `Il server di posta ${it.host} non accetta le email`,
    body: `L’invio delle email viene ritentato per oltre un giorno. Controlla le impostazioni del server di posta. La sua risposta: ${it.answer}`,
  }),
  mail_text_not_used: (it) => ({
    title: 'Il tuo testo di un’email non è stato usato',
    body: `È stato inviato il testo standard al posto di “${it.subject}” (${it.language}): il segnaposto {{${it.placeholder}}} non ha un valore in quell’email.`,
    action: 'Vedi il testo',
  }),
  import_not_undone: ({ file, inUse }) => ({
    title: `L’importazione di ${file} non è stata annullata`,
    body: inUse
      ? 'I suoi dati sono ormai in uso. La pagina dell’importazione li elenca.'
      : 'Tutti i tentativi di annullarla sono falliti e non è stato rimosso nulla. Il motivo è nel log. Puoi riprovare.',
  }),
  warning_refused: (it) => ({
    title: `I nostri avvisi su ${it.name} non arrivano`,
    body:
      it.step === 'end'
        ? `Non siamo riusciti ad avvisare il cliente via email che il servizio termina perché non è stato pagato. Terminerà comunque, al più presto ${onDay(it.on)}. Fino ad allora puoi contattare il cliente in altro modo o inviare di nuovo l’email.`
        : `Non siamo riusciti ad avvisare il cliente via email che il server verrà sospeso perché non è stato pagato. Verrà sospeso comunque, al più presto ${onDay(it.on)}. Fino ad allora puoi contattare il cliente in altro modo o inviare di nuovo l’email.`,
  }),
  failed_not_refunded: ({ count }) => ({
    title: `${count} ${plural('it', count, 'servizio non riuscito non viene rimborsato', 'servizi non riusciti non vengono rimborsati')} automaticamente`,
    body: 'Il limite giornaliero dei rimborsi automatici è stato raggiunto oppure un rimborso non è possibile. Controlla se il pannello funziona, poi riprova o rimborsa i servizi.',
  }),
  import_reconciled: (it) => ({
    title: `Riconciliati i primi ${it.days} giorni dopo l’importazione di ${it.file}`,
    body:
      it.unexplained === 0
        ? `Gli importi fatturati a ${customersOf(it.customers)} corrispondono all’anteprima, oppure la differenza ha una spiegazione.`
        : `Importi fatturati diversi dall’anteprima senza un motivo noto: ${customersOf(it.unexplained)} su ${it.customers}. Controllali.`,
  }),
  bank_entries_open: (it) => ({
    title: 'È arrivato un bonifico con una causale sconosciuta',
    ...detailsIn(words, it),
  }),
  books_differ: (it) => ({
    title: 'I dati di un fornitore di servizi di pagamento non coincidono con i nostri',
    ...detailsIn(words, it),
  }),
  books_not_read: (it) => ({
    title: 'Un fornitore di servizi di pagamento ha negato l’accesso al suo elenco dei pagamenti',
    ...detailsIn(words, it),
  }),
  change_not_credited: (it) => ({
    title: 'Un cambio di piano non è stato accreditato per intero: un pagamento è contestato',
    ...detailsIn(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'Le spese di una contestazione in un’altra valuta non sono state registrate',
    ...detailsIn(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'Non è stato possibile elaborare un evento di un fornitore di servizi di pagamento',
    ...detailsIn(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'Un gateway di pagamento ha ricevuto un evento dell’altra modalità',
    ...detailsIn(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'Le credenziali di un gateway di pagamento non sono più accettate',
    ...detailsIn(words, it),
  }),
  late_payment: (it) => ({
    title: 'È arrivato un pagamento per una fattura che non era più aperta',
    ...detailsIn(words, it),
  }),
  payment_disputed: (it) => ({ title: 'Un pagamento è contestato', ...detailsIn(words, it) }),
  payment_mismatch: (it) => ({
    title: 'Un pagamento è diverso da quanto richiesto e non è stato registrato',
    ...detailsIn(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'Non è stato possibile avviare un pagamento',
    ...detailsIn(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'Un rimborso presso il fornitore supera il credito del cliente',
    ...detailsIn(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'Un rimborso va versato manualmente',
    ...detailsIn(words, it),
  }),
  refund_failed: (it) => ({
    title: 'Un rimborso non è riuscito ed è stato aggiunto al credito del cliente',
    ...detailsIn(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'Un rimborso non corrisponde al suo pagamento e non è stato registrato',
    ...detailsIn(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'Non è stato possibile inviare un rimborso al fornitore',
    ...detailsIn(words, it),
  }),
  webhook_not_registered: (it) => ({
    title:
      'Non è stato possibile registrare il webhook presso un fornitore di servizi di pagamento',
    ...detailsIn(words, it),
  }),
}
