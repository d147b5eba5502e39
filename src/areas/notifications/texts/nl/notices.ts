import { formatAmount } from '#lib/currency.ts'
import { plural } from '#lib/plural.ts'
import { attachedText } from '../attached.ts'
import { attentionText } from '../attention.ts'
import { dayText, timesText } from '../days.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'nl')
}

function day(value: string): string {
  return dayText(value, 'nl-NL')
}

/** How the title of an update of maintenance begins. */
function maintenance(step: string): string {
  if (step === 'canceled') return 'Onderhoud geannuleerd: '
  return step === 'completed' ? 'Onderhoud afgerond: ' : 'Onderhoud, nieuws: '
}

/** When planned maintenance takes place. */
function times(facts: { startsAt: string; endsAt: string }): string {
  return timesText(facts, 'nl-NL')
}

const VIEW_STATUS = 'Status bekijken'
const VIEW_TICKET = 'Ticket bekijken'
const NOT_YOU = 'Was jij dit niet? Wijzig dan je wachtwoord en neem contact met ons op.'
const NOT_ASKED = 'Heb je hier niet om gevraagd? Dan kun je deze e-mail negeren.'
const VIEW_INVOICE = 'Factuur bekijken'
const PAY = 'Nu betalen'
const OPEN_SERVICE = 'Dienst bekijken'
const OPEN_SERVER = 'Server openen'
const SECURITY = 'Beveiliging controleren'
const COMMISSION = 'Commissie bekijken'
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }
const hasServer = ({ delivery }: Delivered) => (delivery ?? 'server') === 'server'
const openOf = (it: Delivered) => (hasServer(it) ? OPEN_SERVER : OPEN_SERVICE)
const nounOf = (it: Delivered) => (hasServer(it) ? 'server' : 'dienst')
const UPGRADE_OBSTACLES = {
  no_capacity: 'Er is op dit moment geen ruimte voor.',
  disk_in_use:
    'De server gebruikt meer opslagruimte dan het nieuwe pakket heeft: verwijder wat je niet nodig hebt.',
  ports_in_use:
    'De server heeft meer poorten dan het nieuwe pakket toelaat: verwijder er een paar.',
  databases_in_use:
    'De server heeft meer databases dan het nieuwe pakket toelaat: verwijder er een paar.',
  backups_in_use:
    'De server heeft meer back-ups dan het nieuwe pakket toelaat: verwijder er een paar.',
}
const FACTORS = { totp: 'Een authenticator-app', passkey: 'Een passkey' }

/** Notifications and mails in Dutch. */
export const texts: Texts = {
  greeting: (name) => (name ? `Hallo ${name},` : 'Hallo,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => {
      const due = formatAmount(it.dueCents, it.currency, 'nl')
      const isDue = it.dueCents > 0
      return {
        title: `Je factuur van ${amount(it)}`,
        body: !isDue
          ? `Hier is je factuur ${it.number} van ${amount(it)}. Je hoeft niets meer te betalen.`
          : it.dueOn
            ? `Betaal ${due} voor factuur ${it.number} uiterlijk op ${day(it.dueOn)}.`
            : `Voor factuur ${it.number} staat ${due} open.`,
        rows: [
          ['Factuur', it.number],
          ['Totaal', amount(it)],
          ['Te betalen', due],
          ...(isDue && it.dueOn ? [['Vervaldatum', day(it.dueOn)] as const] : []),
        ],
        action: isDue ? PAY : VIEW_INVOICE,
      }
    },
    order_placed: (it) => ({
      title: `We hebben een bestelling voor je geplaatst: ${amount(it)}`,
      body: it.dueOn
        ? `Je bestelling ${it.number} wacht tot ${day(it.dueOn)} op je betaling van ${amount(it)}. Wil je de bestelling niet, dan hoef je niets te doen: ze vervalt dan op die dag.`
        : `We hebben bestelling ${it.number} voor je geplaatst. Je hoeft niets te betalen.`,
      rows: [
        ['Bestelling', it.number],
        ['Totaal', amount(it)],
        ...(it.dueOn ? [['Te betalen uiterlijk', day(it.dueOn)] as const] : []),
      ],
      action: it.dueOn ? PAY : VIEW_INVOICE,
    }),
    invoice_paid: (it) => ({
      title: `We hebben je betaling van ${amount(it)} ontvangen`,
      body: `Factuur ${it.number} van ${amount(it)} is betaald. Bedankt.`,
      rows: [
        ['Factuur', it.number],
        ['Betaald bedrag', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_failed: (it) => ({
      title: `Je betaling van ${amount(it)} is mislukt`,
      body: `We konden ${amount(it)}${it.number ? ` voor factuur ${it.number}` : ''} niet afschrijven. ${PAYMENT_FAILURES[it.why]} Je kunt het altijd opnieuw proberen.`,
      rows: [...(it.number ? [['Factuur', it.number] as const] : []), ['Te betalen', amount(it)]],
      action: PAY,
    }),
    payment_action_required: (it) => ({
      title: `Bevestig je betaling van ${amount(it)}`,
      body: `Je bank vraagt je om de betaling van ${amount(it)}${it.number ? ` voor factuur ${it.number}` : ''} te bevestigen.`,
      rows: [...(it.number ? [['Factuur', it.number] as const] : []), ['Bedrag', amount(it)]],
      action: 'Betaling bevestigen',
    }),
    refund_made: (it) => ({
      title: `Je terugbetaling van ${amount(it)}`,
      body: it.toCredit
        ? `We hebben ${amount(it)} voor factuur ${it.number} aan je tegoed toegevoegd.`
        : `We hebben ${amount(it)} voor factuur ${it.number} terugbetaald via je betaalmethode. Het kan een paar dagen duren voordat het geld er is.`,
      rows: [
        ['Factuur', it.number],
        ['Terugbetaling', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    credit_added: (it) => ({
      title: `Er is ${amount(it)} aan je tegoed toegevoegd`,
      body: `We hebben ${amount(it)} aan je tegoed toegevoegd. ${CREDIT_REASONS[it.why]}`,
      rows: [['Toegevoegd tegoed', amount(it)]],
      action: 'Tegoed bekijken',
    }),
    out_of_stock_credit: (it) =>
      it.amountCents > 0
        ? {
            title: 'Het product dat je hebt besteld, is uitverkocht',
            body: `Je betaling kwam binnen nadat het laatste exemplaar was verkocht. We hebben ${amount(it)} aan je tegoed toegevoegd.`,
            rows: [['Toegevoegd tegoed', amount(it)]],
          }
        : {
            title: 'Het product dat je hebt besteld, is uitverkocht',
            body: 'Het laatste exemplaar is verkocht terwijl we je bestelling verwerkten. Er is niets afgeschreven.',
          },
    service_active: (it) =>
      it.delivery === 'none'
        ? {
            title: `${it.name} is actief`,
            body: 'Je betaling is binnen en je dienst is actief.',
            action: OPEN_SERVICE,
          }
        : it.delivery === 'manual' || it.delivery === 'webhook'
          ? {
              title: `${it.name} is klaar`,
              body: 'We hebben je dienst geleverd. Op de pagina staat alles wat je nodig hebt.',
              action: OPEN_SERVICE,
            }
          : {
              title: `${it.name} is klaar`,
              body: it.address
                ? `Je server staat voor je klaar op ${it.address}.`
                : 'Je server is klaar.',
              rows: it.address ? [['Adres', it.address]] : [],
              action: OPEN_SERVER,
            },
    service_failed: (it) =>
      hasServer(it)
        ? {
            title: `We konden ${it.name} nog niet klaarzetten`,
            body: 'Je betaling is veilig. We zoeken het uit en zetten je server klaar of betalen je terug.',
            action: OPEN_SERVER,
          }
        : {
            title: `We konden ${it.name} nog niet leveren`,
            body: 'Je betaling is veilig. We zoeken het uit en leveren je dienst of betalen je terug.',
            action: OPEN_SERVICE,
          },
    delivery_begun: (it) => ({
      title: `We zetten ${it.name} voor je klaar`,
      body: `Je betaling is binnen. We leveren je dienst uiterlijk op ${day(it.dueOn)} en laten het je weten zodra alles klaar is.`,
      rows: [['Levering uiterlijk', day(it.dueOn)]],
      action: OPEN_SERVICE,
    }),
    service_reinstalled: (it) => ({
      title: `${it.name} is opnieuw geïnstalleerd`,
      body: 'De herinstallatie is klaar. Je kunt je server starten.',
      action: OPEN_SERVER,
    }),
    service_reinstall_failed: (it) => ({
      title: `${it.name} kon niet opnieuw worden geïnstalleerd`,
      body: 'De herinstallatie is mislukt. Controleer je instellingen en probeer het opnieuw, of neem contact met ons op.',
      action: OPEN_SERVER,
    }),
    server_crashed: (it) => ({
      title: `${it.name} is gecrasht`,
      body: 'Aan het einde van de console-uitvoer zie je waarom. We sturen je hooguit drie van deze berichten per dag.',
      action: 'Console openen',
    }),
    service_suspended: (it) => ({
      title: `${it.name} is opgeschort`,
      body: it.unpaid
        ? `Er is niets verwijderd. Zodra je het openstaande bedrag betaalt, is de ${nounOf(it)} direct weer beschikbaar.`
        : 'Er is niets verwijderd. Neem contact met ons op voor meer informatie.',
      action: openOf(it),
    }),
    service_reactivated: (it) => ({
      title: `${it.name} is weer beschikbaar`,
      body: !hasServer(it)
        ? 'De dienst is niet meer opgeschort.'
        : 'De server is niet meer opgeschort. Je kunt hem weer starten.',
      action: openOf(it),
    }),
    service_ended: (it) => ({
      title: `${it.name} is beëindigd`,
      body: it.deleteOn
        ? `De server is uitgezet. De gegevens worden op ${day(it.deleteOn)} verwijderd.`
        : !hasServer(it)
          ? 'De dienst is beëindigd. Er wordt niets meer voor in rekening gebracht.'
          : 'De server is uitgezet en de gegevens zijn verwijderd.',
      rows: it.deleteOn ? [['Gegevens verwijderd op', day(it.deleteOn)]] : [],
      action: OPEN_SERVICE,
    }),
    service_ending: (it) => ({
      title: `${it.name} eindigt op ${day(it.endsOn)}`,
      body: 'Automatisch verlengen staat uit. Wil je ermee doorgaan, verleng dan vóór die dag.',
      rows: [['Eindigt op', day(it.endsOn)]],
      action: 'Verlengen',
    }),
    renewal_invoice: (it) => ({
      title: `Verlenging van ${it.name}: ${amount(it)}`,
      body: `Betaal ${amount(it)} voor de volgende periode van ${it.name} uiterlijk op ${day(it.dueOn)}.`,
      rows: [
        ['Factuur', it.number],
        ['Periode', `${day(it.startsOn)} – ${day(it.endsOn)}`],
        ['Te betalen', amount(it)],
        ['Vervaldatum', day(it.dueOn)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_reminder: (it) => ({
      title: `Betalingsherinnering: ${amount(it)} voor ${it.name}`,
      body:
        it.next === 'nothing'
          ? `Voor de tijd tot het einde van de ${nounOf(it)} staat nog ${amount(it)} open. De factuur had uiterlijk op ${day(it.dueOn)} betaald moeten zijn.`
          : it.next === 'end'
            ? `Je had uiterlijk op ${day(it.dueOn)} ${amount(it)} moeten betalen. De ${nounOf(it)} is opgeschort. Zonder betaling eindigt de ${nounOf(it)} op ${day(it.on)}${!hasServer(it) ? '' : ' en worden de gegevens enkele dagen later verwijderd'}.`
            : `Betaal ${amount(it)} uiterlijk op ${day(it.dueOn)}. Zonder betaling schorten we de ${nounOf(it)} op ${day(it.on)} op.`,
      rows: [
        ['Factuur', it.number],
        ['Te betalen', amount(it)],
        ['Vervaldatum', day(it.dueOn)],
        ...(it.next === 'nothing'
          ? []
          : [[it.next === 'end' ? 'Eindigt op' : 'Opgeschort op', day(it.on)] as const]),
      ],
      action: PAY,
    }),
    price_change: (it) => ({
      title: `De prijs van ${it.name} verandert`,
      body: `De eerste periode die op of na ${day(it.effectiveFrom)} begint, kost ${amount(it)}. Tot die tijd kun je opzeggen.`,
      rows: [
        ['Nieuwe prijs', amount(it)],
        ['Vanaf', day(it.effectiveFrom)],
      ],
      action: openOf(it),
    }),
    service_upgraded: (it) => ({
      title: `${it.name} is gewijzigd naar ${it.product}`,
      body: !hasServer(it)
        ? 'De wijziging is klaar.'
        : 'De wijziging is klaar. Herstart de server om de nieuwe limieten te gebruiken.',
      action: openOf(it),
    }),
    free_days: (it) => ({
      title: `${it.days} gratis ${plural('nl', it.days, 'dag', 'dagen')} voor ${it.name}`,
      body: `${it.reason} Je volgende periode begint op ${day(it.until)}. Voor deze dagen betaal je niets.`,
      rows: [
        ['Gratis dagen', String(it.days)],
        ['Volgende periode', day(it.until)],
      ],
      action: openOf(it),
    }),
    upgrade_failed: (it) => ({
      title: `De wijziging van ${it.name} naar ${it.product} is mislukt`,
      body: it.isPaidBack
        ? `Aan de ${nounOf(it)} verandert niets. Wat je voor de wijziging hebt betaald, is aan je tegoed toegevoegd.`
        : `Aan de ${nounOf(it)} verandert niets.`,
      action: openOf(it),
    }),
    upgrade_waiting: (it) => ({
      title: `De wijziging van ${it.name} naar ${it.product} is nog niet mogelijk`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} We blijven het tot ${day(it.until)} proberen. Daarna blijven de server en de prijs zoals ze zijn.`,
      action: OPEN_SERVER,
    }),
    invitation: (it) => ({
      title: `${it.inviter} deelt ${it.service} met je`,
      body: 'Open de uitnodiging om die te accepteren of te weigeren.',
      action: 'Uitnodiging openen',
    }),
    commission_earned: (it) => ({
      title: `Je hebt ${amount(it)} verdiend`,
      body: 'Een klant die via jou kwam, heeft betaald. Na de wachttijd kun je je commissie gebruiken.',
      rows: [['Commissie', amount(it)]],
      action: COMMISSION,
    }),
    commission_available: (it) => ({
      title: `${amount(it)} van je commissie is beschikbaar`,
      body: `De wachttijd is voorbij. Zodra je ${formatAmount(2000, it.currency, 'nl')} hebt, kun je commissie omzetten in tegoed.`,
      rows: [['Beschikbaar', amount(it)]],
      action: COMMISSION,
    }),
    commission_reversed: (it) => ({
      title: `${amount(it)} van je commissie is teruggedraaid`,
      body: 'Een betaling van een klant die via jou kwam, is terugbetaald, teruggeboekt of niet geaccepteerd.',
      rows: [['Teruggedraaid', amount(it)]],
      action: COMMISSION,
    }),
    commission_restored: (it) => ({
      title: `${amount(it)} van je commissie is weer toegekend`,
      body: 'Een betaling die was teruggeboekt, is alsnog voldaan.',
      rows: [['Weer toegekend', amount(it)]],
      action: COMMISSION,
    }),
    impersonated: () => ({
      title: 'Een van onze medewerkers bekijkt je account',
      body: 'Hooguit 30 minuten lang ziet deze persoon wat jij ziet. Hoe je inlogt of betaalt, kan deze persoon niet zien of wijzigen.',
    }),
    admin_attention: (it) => ({ action: 'Details bekijken', ...attentionText(attention, it) }),
    password_changed: () => ({
      title: 'Je wachtwoord is gewijzigd',
      body: `Je bent overal uitgelogd en je API-sleutels zijn ingetrokken. ${NOT_YOU}`,
      action: SECURITY,
    }),
    registration_attempted: () => ({
      title: 'Iemand probeerde zich met jouw adres te registreren',
      body: 'Je hebt al een account, dus er is geen nieuw account aangemaakt. Was jij het? Log dan in, of stel een nieuw wachtwoord in als je het vergeten bent. Was jij het niet, dan hoef je niets te doen.',
      action: 'Naar je account',
    }),
    session_stolen: () => ({
      title: 'We hebben een van je sessies beëindigd',
      body: `Een token van die sessie is twee keer gebruikt, dus misschien heeft iemand het gekopieerd. ${NOT_YOU}`,
      action: SECURITY,
    }),
    application_stolen: (it) => ({
      title: `We hebben je uitgelogd bij ${it.application}`,
      body: `Een token dat ${it.application} voor je account heeft, is twee keer gebruikt, dus misschien heeft iemand het gekopieerd. Log daar opnieuw in. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} beschermt nu je account`,
      body: `Vanaf nu heb je een tweede factor nodig om in te loggen. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} is uit je account verwijderd`,
      body: `Je kunt er niet meer mee inloggen. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_codes_made: () => ({
      title: 'Je hebt nieuwe herstelcodes',
      body: `De oude codes werken niet meer. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_code_used: (it) => ({
      title: 'Er is een herstelcode gebruikt',
      body: `Je hebt nog ${it.left} ${plural('nl', it.left, 'code', 'codes')} over. ${NOT_YOU}`,
      action: SECURITY,
    }),
    passkey_copied: (it) => ({
      title: `De passkey ${it.name} is geweigerd`,
      body: 'De teller van de passkey is teruggelopen, dus misschien bestaat er een kopie van. Verwijder de passkey, tenzij je weet hoe dit komt.',
      action: SECURITY,
    }),
    account_connected: (it) => ({
      title: `Het ${providerName(it.provider)}-account ${it.name} is gekoppeld`,
      body: `Het is nu aan je account gekoppeld. ${NOT_YOU}`,
      action: SECURITY,
    }),
    account_disconnected: (it) => ({
      title: `Het ${providerName(it.provider)}-account ${it.name} is ontkoppeld`,
      body: `Het is niet meer aan je account gekoppeld. ${NOT_YOU}`,
      action: SECURITY,
    }),
    vat_number_invalid: (it) => ({
      title: `Je btw-nummer ${it.vatNumber} kon niet worden bevestigd`,
      body: 'Het staat niet in het EU-register (VIES). Je volgende facturen zijn met btw, totdat je profiel een geldig nummer heeft. Bestaande facturen veranderen niet.',
      action: 'Factuurgegevens controleren',
    }),
    ticket_opened: (it) => ({
      title: `We hebben je geschreven: ticket ${it.number}`,
      body: `Er staat een bericht voor je in ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_answered: (it) => ({
      title: `Antwoord op ticket ${it.number}`,
      body: `Er staat een nieuw bericht in ticket ${it.number}.${attachedText('nl', it.files)}`,
      action: VIEW_TICKET,
    }),
    ticket_closed: (it) => ({
      title: `Ticket ${it.number} is gesloten`,
      body: `We hebben ticket ${it.number} gesloten. Is er nog iets te doen, schrijf dan een bericht en het wordt heropend.`,
      action: VIEW_TICKET,
    }),
    ticket_closing: (it) => ({
      title: `Ticket ${it.number} wordt op ${day(it.closesOn)} gesloten`,
      body: `Er staat een antwoord op ticket ${it.number} en sindsdien is er niets geschreven. Is er nog iets te doen, schrijf dan een bericht en het blijft open.`,
      action: VIEW_TICKET,
    }),
    ticket_new: (it) => ({
      title: `Nieuw ticket ${it.number}`,
      body: `Een klant heeft ticket ${it.number} geopend.`,
      action: VIEW_TICKET,
    }),
    ticket_assigned: (it) => ({
      title: `Ticket ${it.number} is aan je toegewezen`,
      body: `Ticket ${it.number} is aan je toegewezen.`,
      action: VIEW_TICKET,
    }),
    ticket_customer_replied: (it) => ({
      title: `Een klant heeft geschreven in ticket ${it.number}`,
      body: `Er staat een nieuw bericht van de klant in ticket ${it.number}.${attachedText('nl', it.files)}`,
      action: VIEW_TICKET,
    }),
    mail_undeliverable: (it) => ({
      title: 'Onze e-mails bereiken je niet',
      body: `De mailserver van ${it.address} meldt dat dit adres niet bestaat. We sturen er niets meer naartoe totdat je het adres opnieuw bevestigt of een ander kiest.`,
    }),
    incident_opened: (it) => ({
      title: `Storing: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_updated: (it) => ({
      title: `Storing, nieuws: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_resolved: (it) => ({
      title: `Opgelost: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    maintenance_planned: (it) => ({
      title: `Gepland onderhoud: ${it.title}`,
      body: `${it.text}\n\n${times(it)}`,
      action: VIEW_STATUS,
    }),
    maintenance_changed: (it) => ({
      title: `${maintenance(it.step)}${it.title}`,
      body: it.step === 'changed' ? `${it.text}\n\n${times(it)}` : it.text,
      action: VIEW_STATUS,
    }),
    announcement: ({ title, body }) => ({ title, body, action: 'Meer lezen' }),
  },
  mails: {
    verify_email: () => ({
      title: 'Bevestig je e-mailadres',
      body: 'Bevestig dat dit e-mailadres van jou is.',
      action: 'Adres bevestigen',
      after: NOT_ASKED,
    }),
    reset_password: () => ({
      title: 'Stel een nieuw wachtwoord in',
      body: 'Je hebt om een nieuw wachtwoord gevraagd. Gebruik de knop om er een te kiezen.',
      action: 'Nieuw wachtwoord kiezen',
      after: NOT_ASKED,
    }),
    account_created: () => ({
      title: 'Je account staat klaar',
      body: 'We hebben met dit e-mailadres een account voor je aangemaakt. Gebruik de knop om een wachtwoord te kiezen. De link is 7 dagen geldig.',
      action: 'Wachtwoord kiezen',
      after: 'Verwacht je geen account bij ons? Dan kun je deze e-mail negeren.',
    }),
    service_invitation: ({ inviter, service }) => ({
      title: `${inviter} deelt een server met je`,
      body: `${inviter} nodigt je uit om de server ${service} te gebruiken.`,
      action: 'Uitnodiging openen',
      after: 'Ken je deze persoon niet? Dan kun je deze e-mail negeren.',
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'Een nieuw e-mailadres voor je account',
      body: `Iemand heeft gevraagd om dit adres te vervangen door ${newEmail}. Dit adres blijft geldig totdat het nieuwe is bevestigd. ${NOT_YOU}`,
    }),
    mail_test: () => ({
      title: 'Testmail',
      body: 'Je mailserver heeft deze e-mail geaccepteerd. E-mails aan je klanten worden op dezelfde manier verstuurd.',
    }),
    staff_message: ({ subject, text }) => ({ title: subject, body: text }),
    more_attention: ({ times }) => ({
      title: 'Nog meer zaken vragen je aandacht',
      body: `Binnen een uur waren er meer dan ${times} zaken die aandacht vragen. De overige worden niet gemaild. Je vindt ze allemaal bij je meldingen.`,
      action: 'Meldingen bekijken',
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Je e-mailadres is gewijzigd',
      body: `Je account gebruikt nu ${newEmail} in plaats van dit adres. ${NOT_YOU}`,
    }),
  },
}
