import { plural } from '#lib/plural.ts'
import { type AttentionTexts, detailsIn, failureIn, type ReportWords } from '../attention.ts'
import { dayText } from '../days.ts'

function day(value: string): string {
  return dayText(value, 'nl-NL')
}

const words: ReportWords = {
  locale: 'nl',
  colon: ': ',
  labels: {
    amountCents: 'Bedrag',
    accountId: 'Account',
    askedCents: 'Verwacht',
    attemptId: 'Poging',
    code: 'Code',
    count: 'Aantal',
    disputeId: 'Betwisting',
    eventId: 'Gebeurtenis',
    eventKey: 'Gebeurtenis van de provider',
    gatewayId: 'Betaalgateway',
    message: 'Antwoord',
    name: 'Naam',
    objectId: 'Id bij de provider',
    paymentId: 'Betaling',
    receivedCents: 'Ontvangen',
    refundCents: 'Terugbetaald',
    refundId: 'Terugbetaling',
    requestedCents: 'Gevraagd',
    state: 'Status',
    statementId: 'Bankafschrift',
    type: 'Type',
    userId: 'Klant',
    why: 'Verschil',
  },
  failures: {
    account_busy:
      'Het account van de klant op het paneel wordt al door een ander proces aangemaakt.',
    backups_in_use: 'De server heeft meer back-ups dan het nieuwe product toelaat.',
    country_unknown: 'Het land van de klant is onbekend.',
    databases_in_use: 'De server heeft meer databases dan het nieuwe product toelaat.',
    disk_in_use: 'De server gebruikt meer opslagruimte dan het nieuwe product heeft.',
    given_up: 'Een beheerder heeft het geannuleerd.',
    no_blueprint: 'Voor het product is geen installatie ingesteld.',
    no_capacity: 'Er is geen ruimte voor.',
    no_customer: 'De klant bestaat niet meer.',
    no_egg: 'De egg van het product staat niet op dit paneel.',
    no_panel: 'De egg staat op geen van de panelen van het product.',
    node_deleted: 'De verbinding met het paneel is verwijderd.',
    not_done: 'Het paneel heeft de wijziging bevestigd, maar niet uitgevoerd.',
    ports_in_use: 'De server heeft meer poorten dan het nieuwe product toelaat.',
    server_gone: 'De server staat niet op het paneel.',
    service_ended: 'De dienst is beëindigd of wordt dat binnenkort.',
    tax_rate_unknown: 'Er is geen btw-tarief voor het land van de klant.',
    trial_used:
      'Een andere klant heeft dit product al uitgeprobeerd met hetzelfde account op het paneel.',
    unexpected: 'De factuur kon niet worden gemaakt. De reden staat in het logboek.',
    unmanaged: 'De server staat niet op een verbonden paneel. Beheer hem handmatig.',
  },
}

const GOALS = {
  active: 'worden gestart',
  suspended: 'worden opgeschort',
  ended: 'worden uitgezet',
  deleted: 'worden verwijderd',
} as const

const TASKS = {
  create: 'leveren',
  change: 'wijzigen',
  suspend: 'opschorten',
  resume: 'hervatten',
  end: 'beëindigen',
} as const

const DELIVERIES = {
  create: 'De levering',
  change: 'De wijziging',
  suspend: 'De opschorting',
  resume: 'Het einde van de opschorting',
  end: 'Het einde',
} as const

const DISABLED = {
  gone: 'Het antwoordde met 410 Gone: het accepteert geen gebeurtenissen meer.',
  failing: 'Leveringen aan dit endpoint mislukken al vijf dagen.',
} as const

/** What administrators are told of their work, in Dutch. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title:
      it.others > 0
        ? `${it.name} en ${it.others === 1 ? '1 andere dienst' : `${it.others} andere diensten`} konden niet worden verlengd`
        : `${it.name} kon niet worden verlengd`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `${it.name} kon niet opnieuw worden geïnstalleerd`,
    body: `De herinstallatie van ${it.name} op het paneel is mislukt.`,
  }),
  upgrade_failed: (it) => ({
    title: `${it.name} kon niet worden gewijzigd`,
    body: failureIn(words, it),
  }),
  task_created: (it) => ({
    title: `Nieuwe taak: ${it.name} ${TASKS[it.action]}`,
    body: `De taak moet uiterlijk op ${day(it.dueOn)} klaar zijn.`,
  }),
  delivery_failed: ({ name, action, code, detail }) =>
    code === 'unconfirmed'
      ? {
          title: `${DELIVERIES[action]} van ${name} is niet bevestigd`,
          body: `Je systeem op ${detail} heeft dit niet op tijd bevestigd. Controleer het systeem; de pagina van de dienst toont elke poging.`,
        }
      : {
          title: `${DELIVERIES[action]} van ${name} is mislukt`,
          body:
            code === 'unanswered'
              ? `Je systeem heeft dit in drie dagen met pogingen niet bevestigd. Laatste resultaat: ${detail}`
              : `Antwoord van je systeem: ${detail}`,
        },
  service_stuck: (it) => ({
    title: `De server van ${it.name} kon niet ${GOALS[it.goal]}`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `${it.name} kon niet worden klaargezet`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `${it.name} wacht om te worden klaargezet`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'Een btw-nummer staat niet in het EU-register',
    body: `${it.email}: ${it.vatNumber}. De volgende facturen zijn met btw.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'Door een gewijzigde egg kunnen voor sommige producten geen servers meer worden gemaakt'
      : 'Een egg die door producten wordt gebruikt, is gewijzigd',
    body: [
      `Gewijzigde eggs: ${eggs.join(', ')}`,
      ...products.map(
        ({ name, faults }) =>
          `${name}: ${faults || 'nieuwe servers kunnen net als voorheen worden gemaakt'}`,
      ),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `${name} wordt niet meer verkocht`,
    body: [
      'Dit product kan niet meer worden geleverd. Daarom toont en verkoopt de shop het niet meer. Bestaande diensten lopen door.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `Het webhook-endpoint ${it.host} is uitgeschakeld`,
    body: `${DISABLED[it.reason]} Nieuwe gebeurtenissen worden bewaard en kunnen opnieuw worden verstuurd.`,
  }),
  mail_server_failing: (it) => ({
    title: `De mailserver ${it.host} accepteert geen e-mails`,
    body: `We proberen de e-mails nog langer dan een dag te versturen. Controleer de instellingen van de mailserver. Het antwoord was: ${it.answer}`,
  }),
  mail_text_not_used: (it) => ({
    title: 'Je tekst voor een e-mail is niet gebruikt',
    body: `In plaats van ‘${it.subject}’ (${it.language}) is de standaardtekst verstuurd: de plaatshouder {{${it.placeholder}}} heeft in die e-mail geen waarde.`,
    action: 'Tekst bekijken',
  }),
  import_not_undone: ({ file, inUse }) => ({
    title: `De import van ${file} is niet ongedaan gemaakt`,
    body: inUse
      ? 'De gegevens ervan zijn inmiddels in gebruik. Ze staan op de pagina van de import.'
      : 'Alle pogingen om de import ongedaan te maken zijn mislukt, en er is niets verwijderd. De reden staat in het logboek. Je kunt het opnieuw proberen.',
  }),
  warning_refused: (it) => ({
    title: `Onze berichten over ${it.name} komen niet aan`,
    body:
      it.step === 'end'
        ? `We konden de klant niet mailen dat de dienst eindigt omdat er niet is betaald. De dienst eindigt toch, op zijn vroegst op ${day(it.on)}. Tot dan kun je de klant op een andere manier bereiken of de e-mail opnieuw versturen.`
        : `We konden de klant niet mailen dat de server wordt opgeschort omdat er niet is betaald. De server wordt toch opgeschort, op zijn vroegst op ${day(it.on)}. Tot dan kun je de klant op een andere manier bereiken of de e-mail opnieuw versturen.`,
  }),
  failed_not_refunded: ({ count }) => ({
    title: `${count} ${plural('nl', count, 'mislukte dienst wordt', 'mislukte diensten worden')} niet automatisch terugbetaald`,
    body: 'De daglimiet voor automatische terugbetalingen is bereikt, of een terugbetaling is niet mogelijk. Controleer of het paneel werkt en probeer het daarna opnieuw of betaal de diensten terug.',
  }),
  import_reconciled: (it) => ({
    title: `De eerste ${it.days} dagen na de import van ${it.file} zijn gecontroleerd`,
    body:
      it.unexplained === 0
        ? `Alle ${it.customers} klanten zijn gefactureerd zoals in het voorbeeld stond, of het verschil is verklaard.`
        : `Bij ${it.unexplained} van de ${it.customers} klanten wijkt het gefactureerde bedrag zonder bekende reden af van het voorbeeld. Controleer dit.`,
  }),
  bank_entries_open: (it) => ({
    title: 'Er is een overboeking met een onbekend kenmerk binnengekomen',
    ...detailsIn(words, it),
  }),
  books_differ: (it) => ({
    title: 'De gegevens van een betaalprovider wijken af van de onze',
    ...detailsIn(words, it),
  }),
  books_not_read: (it) => ({
    title: 'Een betaalprovider weigerde toegang tot de lijst met betalingen',
    ...detailsIn(words, it),
  }),
  change_not_credited: (it) => ({
    title: 'Een pakketwijziging is niet volledig gecrediteerd, omdat een betaling wordt betwist',
    ...detailsIn(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'Betwistingskosten in een andere valuta zijn niet geboekt',
    ...detailsIn(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'Een gebeurtenis van een betaalprovider kon niet worden verwerkt',
    ...detailsIn(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'Een betaalgateway ontving een gebeurtenis van de andere modus',
    ...detailsIn(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'De inloggegevens van een betaalgateway worden niet meer geaccepteerd',
    ...detailsIn(words, it),
  }),
  late_payment: (it) => ({
    title: 'Er is een betaling binnengekomen voor een factuur die niet meer openstond',
    ...detailsIn(words, it),
  }),
  payment_disputed: (it) => ({ title: 'Een betaling wordt betwist', ...detailsIn(words, it) }),
  payment_mismatch: (it) => ({
    title: 'Een betaling wijkt af van wat is gevraagd en is niet geboekt',
    ...detailsIn(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'Een betaling kon niet worden gestart',
    ...detailsIn(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'Een terugbetaling bij de provider was hoger dan het tegoed van de klant',
    ...detailsIn(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'Een terugbetaling moet handmatig worden uitbetaald',
    ...detailsIn(words, it),
  }),
  refund_failed: (it) => ({
    title: 'Een terugbetaling is mislukt en aan het tegoed van de klant toegevoegd',
    ...detailsIn(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'Een terugbetaling past niet bij de betaling en is niet geboekt',
    ...detailsIn(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'Een terugbetaling kon niet naar de provider worden gestuurd',
    ...detailsIn(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'De webhook kon niet bij een betaalprovider worden geregistreerd',
    ...detailsIn(words, it),
  }),
}
