import { formatAmount } from '#lib/currency.ts'
import { plural } from '#lib/plural.ts'
import { attachedText } from '../attached.ts'
import { attentionText } from '../attention.ts'
import { dayText, timesText } from '../days.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'de')
}

function day(value: string): string {
  return dayText(value, 'de-DE')
}

/** How the title of an update of maintenance begins. */
function maintenance(step: string): string {
  if (step === 'canceled') return 'Wartung abgesagt: '
  return step === 'completed' ? 'Wartung abgeschlossen: ' : 'Wartung, Neuigkeit: '
}

/** When planned maintenance takes place. */
function times(facts: { startsAt: string; endsAt: string }): string {
  return timesText(facts, 'de-DE')
}

const VIEW_STATUS = 'Status ansehen'
const VIEW_TICKET = 'Ticket ansehen'
const NOT_YOU = 'Wenn du das nicht warst, ändere dein Passwort und kontaktiere uns.'
const NOT_ASKED = 'Wenn du das nicht angefordert hast, ignoriere diese E-Mail.'
const VIEW_INVOICE = 'Rechnung ansehen'
const PAY = 'Jetzt bezahlen'
const OPEN_SERVICE = 'Dienst ansehen'
const OPEN_SERVER = 'Server öffnen'
const SECURITY = 'Sicherheitseinstellungen prüfen'
const COMMISSION = 'Provision ansehen'
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }
const hasServer = ({ delivery }: Delivered) => (delivery ?? 'server') === 'server'
const openOf = (it: Delivered) => (hasServer(it) ? OPEN_SERVER : OPEN_SERVICE)
const nounOf = (it: Delivered) => (hasServer(it) ? 'Server' : 'Dienst')
const UPGRADE_OBSTACLES = {
  no_capacity: 'Dafür ist gerade kein Platz frei.',
  disk_in_use:
    'Er belegt mehr Speicherplatz, als der neue Tarif hat: Lösche, was du nicht brauchst.',
  ports_in_use: 'Er hat mehr Ports, als der neue Tarif hat: Entferne einige.',
  databases_in_use: 'Er hat mehr Datenbanken, als der neue Tarif hat: Lösche einige.',
  backups_in_use: 'Er hat mehr Backups, als der neue Tarif hat: Lösche einige.',
}
const FACTORS = { totp: 'Eine Authenticator-App', passkey: 'Ein Passkey' }

/** Notifications and mails in German. */
export const texts: Texts = {
  greeting: (name) => (name ? `Hallo ${name},` : 'Hallo,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => {
      const due = formatAmount(it.dueCents, it.currency, 'de')
      const isDue = it.dueCents > 0
      return {
        title: `Deine Rechnung über ${amount(it)}`,
        body: !isDue
          ? `Hier ist deine Rechnung ${it.number} über ${amount(it)}. Es ist nichts mehr offen.`
          : it.dueOn
            ? `Rechnung ${it.number} ist am ${day(it.dueOn)} fällig. Offener Betrag: ${due}.`
            : `Rechnung ${it.number} ist fällig. Offener Betrag: ${due}.`,
        rows: [
          ['Rechnung', it.number],
          ['Gesamtbetrag', amount(it)],
          ['Offener Betrag', due],
          ...(isDue && it.dueOn ? [['Fällig am', day(it.dueOn)] as const] : []),
        ],
        action: isDue ? PAY : VIEW_INVOICE,
      }
    },
    order_placed: (it) => ({
      title: `Wir haben eine Bestellung für dich aufgegeben: ${amount(it)}`,
      body: it.dueOn
        ? `Deine Bestellung ${it.number} wartet bis zum ${day(it.dueOn)} auf deine Zahlung von ${amount(it)}. Wenn du sie nicht möchtest, musst du nichts tun: Sie endet dann an diesem Tag.`
        : `Wir haben die Bestellung ${it.number} für dich aufgegeben. Es ist nichts zu bezahlen.`,
      rows: [
        ['Bestellung', it.number],
        ['Gesamtbetrag', amount(it)],
        ...(it.dueOn ? [['Zahlbar bis', day(it.dueOn)] as const] : []),
      ],
      action: it.dueOn ? PAY : VIEW_INVOICE,
    }),
    invoice_paid: (it) => ({
      title: `Wir haben deine Zahlung über ${amount(it)} erhalten`,
      body: `Rechnung ${it.number} über ${amount(it)} ist bezahlt. Vielen Dank.`,
      rows: [
        ['Rechnung', it.number],
        ['Bezahlter Betrag', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_failed: (it) => ({
      title: `Deine Zahlung über ${amount(it)} ist fehlgeschlagen`,
      body: `Wir konnten ${amount(it)}${it.number ? ` für Rechnung ${it.number}` : ''} nicht einziehen. ${PAYMENT_FAILURES[it.why]} Du kannst es jederzeit erneut versuchen.`,
      rows: [
        ...(it.number ? [['Rechnung', it.number] as const] : []),
        ['Offener Betrag', amount(it)],
      ],
      action: PAY,
    }),
    payment_action_required: (it) => ({
      title: `Bitte bestätige deine Zahlung über ${amount(it)}`,
      body: `Deine Bank bittet dich, die Zahlung über ${amount(it)}${it.number ? ` für Rechnung ${it.number}` : ''} zu bestätigen.`,
      rows: [...(it.number ? [['Rechnung', it.number] as const] : []), ['Betrag', amount(it)]],
      action: 'Zahlung bestätigen',
    }),
    refund_made: (it) => ({
      title: `Deine Erstattung über ${amount(it)}`,
      body: it.toCredit
        ? `Wir haben deinem Guthaben ${amount(it)} für Rechnung ${it.number} gutgeschrieben.`
        : `Wir haben ${amount(it)} für Rechnung ${it.number} auf deine Zahlungsmethode erstattet. Es kann ein paar Tage dauern, bis das Geld ankommt.`,
      rows: [
        ['Rechnung', it.number],
        ['Erstattung', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    credit_added: (it) => ({
      title: `Deinem Guthaben wurden ${amount(it)} gutgeschrieben`,
      body: `Wir haben deinem Guthaben ${amount(it)} gutgeschrieben. ${CREDIT_REASONS[it.why]}`,
      rows: [['Gutgeschrieben', amount(it)]],
      action: 'Guthaben ansehen',
    }),
    out_of_stock_credit: (it) =>
      it.amountCents > 0
        ? {
            title: 'Das bestellte Produkt ist ausverkauft',
            body: `Deine Zahlung kam an, nachdem das letzte verkauft war. Wir haben deinem Guthaben ${amount(it)} gutgeschrieben.`,
            rows: [['Gutgeschrieben', amount(it)]],
          }
        : {
            title: 'Das bestellte Produkt ist ausverkauft',
            body: 'Das letzte wurde verkauft, während wir deine Bestellung bearbeitet haben. Dir wurde nichts berechnet.',
          },
    service_active: (it) =>
      it.delivery === 'none'
        ? {
            title: `${it.name} ist aktiv`,
            body: 'Deine Zahlung ist eingegangen, und dein Dienst ist aktiv.',
            action: OPEN_SERVICE,
          }
        : it.delivery === 'manual' || it.delivery === 'webhook'
          ? {
              title: `${it.name} ist bereit`,
              body: 'Wir haben deinen Dienst geliefert. Auf seiner Seite findest du alles, was du brauchst.',
              action: OPEN_SERVICE,
            }
          : {
              title: `${it.name} ist bereit`,
              body: it.address
                ? `Dein Server ist spielbereit: ${it.address}.`
                : 'Dein Server ist bereit.',
              rows: it.address ? [['Adresse', it.address]] : [],
              action: OPEN_SERVER,
            },
    service_failed: (it) =>
      hasServer(it)
        ? {
            title: `Wir konnten ${it.name} noch nicht einrichten`,
            body: 'Deine Zahlung ist sicher. Wir kümmern uns darum und richten deinen Server ein oder erstatten dir dein Geld.',
            action: OPEN_SERVER,
          }
        : {
            title: `Wir konnten ${it.name} noch nicht liefern`,
            body: 'Deine Zahlung ist sicher. Wir kümmern uns darum und liefern deinen Dienst oder erstatten dir dein Geld.',
            action: OPEN_SERVICE,
          },
    delivery_begun: (it) => ({
      title: `Wir bereiten ${it.name} vor`,
      body: `Deine Zahlung ist eingegangen. Wir liefern deinen Dienst bis zum ${day(it.dueOn)} und sagen dir Bescheid, sobald er bereit ist.`,
      rows: [['Lieferung bis', day(it.dueOn)]],
      action: OPEN_SERVICE,
    }),
    service_reinstalled: (it) => ({
      title: `${it.name} wurde neu installiert`,
      body: 'Die Neuinstallation ist abgeschlossen. Du kannst deinen Server starten.',
      action: OPEN_SERVER,
    }),
    service_reinstall_failed: (it) => ({
      title: `${it.name} konnte nicht neu installiert werden`,
      body: 'Die Neuinstallation ist fehlgeschlagen. Prüfe deine Einstellungen und versuche es erneut, oder kontaktiere uns.',
      action: OPEN_SERVER,
    }),
    server_crashed: (it) => ({
      title: `${it.name} ist abgestürzt`,
      body: 'Den Grund zeigt das Ende der Konsolenausgabe. Wir schicken dir höchstens drei dieser Meldungen am Tag.',
      action: 'Konsole öffnen',
    }),
    service_suspended: (it) => ({
      title: `${it.name} ist gesperrt`,
      body: it.unpaid
        ? `Es wurde nichts gelöscht. Bezahle den offenen Betrag, dann ist der ${nounOf(it)} sofort wieder verfügbar.`
        : 'Es wurde nichts gelöscht. Bitte kontaktiere uns, um mehr zu erfahren.',
      action: openOf(it),
    }),
    service_reactivated: (it) => ({
      title: `${it.name} ist wieder verfügbar`,
      body: !hasServer(it)
        ? 'Der Dienst ist nicht mehr gesperrt.'
        : 'Der Server ist nicht mehr gesperrt. Du kannst ihn wieder starten.',
      action: openOf(it),
    }),
    service_ended: (it) => ({
      title: `${it.name} ist beendet`,
      body: it.deleteOn
        ? `Der Server wurde heruntergefahren. Seine Daten werden am ${day(it.deleteOn)} gelöscht.`
        : !hasServer(it)
          ? 'Der Dienst ist beendet. Dafür wird nichts mehr berechnet.'
          : 'Der Server wurde heruntergefahren, und seine Daten wurden gelöscht.',
      rows: it.deleteOn ? [['Löschung der Daten', day(it.deleteOn)]] : [],
      action: OPEN_SERVICE,
    }),
    service_ending: (it) => ({
      title: `${it.name} endet am ${day(it.endsOn)}`,
      body: 'Die automatische Verlängerung ist aus. Wenn du ihn behalten möchtest, verlängere ihn vor diesem Tag.',
      rows: [['Endet am', day(it.endsOn)]],
      action: 'Verlängern',
    }),
    renewal_invoice: (it) => ({
      title: `Verlängerung von ${it.name}: ${amount(it)}`,
      body: `Für den nächsten Zeitraum von ${it.name} sind am ${day(it.dueOn)} ${amount(it)} fällig.`,
      rows: [
        ['Rechnung', it.number],
        ['Zeitraum', `${day(it.startsOn)} – ${day(it.endsOn)}`],
        ['Offener Betrag', amount(it)],
        ['Fällig am', day(it.dueOn)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_reminder: (it) => ({
      title: `Zahlungserinnerung: ${amount(it)} für ${it.name}`,
      body:
        it.next === 'nothing'
          ? `Für die Zeit bis zum Ende des ${hasServer(it) ? 'Servers' : 'Dienstes'} sind ${amount(it)} offen. Die Rechnung war am ${day(it.dueOn)} fällig.`
          : it.next === 'end'
            ? `${amount(it)} waren am ${day(it.dueOn)} fällig. Der ${nounOf(it)} ist gesperrt. Ohne Zahlung endet er am ${day(it.on)}${!hasServer(it) ? '' : ', und seine Daten werden einige Tage später gelöscht'}.`
            : `${amount(it)} sind am ${day(it.dueOn)} fällig. Ohne Zahlung sperren wir den ${nounOf(it)} am ${day(it.on)}.`,
      rows: [
        ['Rechnung', it.number],
        ['Offener Betrag', amount(it)],
        ['Fällig am', day(it.dueOn)],
        ...(it.next === 'nothing'
          ? []
          : [[it.next === 'end' ? 'Endet am' : 'Sperrung am', day(it.on)] as const]),
      ],
      action: PAY,
    }),
    price_change: (it) => ({
      title: `Der Preis von ${it.name} ändert sich`,
      body: `Der erste Zeitraum, der am ${day(it.effectiveFrom)} oder danach beginnt, kostet ${amount(it)}. Du kannst vorher kündigen.`,
      rows: [
        ['Neuer Preis', amount(it)],
        ['Ab', day(it.effectiveFrom)],
      ],
      action: openOf(it),
    }),
    service_upgraded: (it) => ({
      title: `${it.name} wurde auf ${it.product} umgestellt`,
      body: !hasServer(it)
        ? 'Der Wechsel ist abgeschlossen.'
        : 'Der Wechsel ist abgeschlossen. Starte den Server neu, um seine neuen Limits zu nutzen.',
      action: openOf(it),
    }),
    free_days: (it) => ({
      title: `${it.days} ${plural('de', it.days, 'Gratistag', 'Gratistage')} für ${it.name}`,
      body: `${it.reason} Dein nächster Zeitraum beginnt am ${day(it.until)}. Für diese Tage zahlst du nichts.`,
      rows: [
        ['Gratistage', String(it.days)],
        ['Nächster Zeitraum', day(it.until)],
      ],
      action: openOf(it),
    }),
    upgrade_failed: (it) => ({
      title: `${it.name} konnte nicht auf ${it.product} umgestellt werden`,
      body: it.isPaidBack
        ? `Der ${nounOf(it)} bleibt, wie er war. Was du für den Wechsel bezahlt hast, haben wir deinem Guthaben gutgeschrieben.`
        : `Der ${nounOf(it)} bleibt, wie er war.`,
      action: openOf(it),
    }),
    upgrade_waiting: (it) => ({
      title: `${it.name} kann noch nicht auf ${it.product} umgestellt werden`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} Wir versuchen es bis zum ${day(it.until)} weiter. Danach bleiben der Server und sein Preis, wie sie sind.`,
      action: OPEN_SERVER,
    }),
    invitation: (it) => ({
      title: `${it.inviter} teilt ${it.service} mit dir`,
      body: 'Öffne die Einladung, um sie anzunehmen oder abzulehnen.',
      action: 'Einladung öffnen',
    }),
    commission_earned: (it) => ({
      title: `Du hast ${amount(it)} verdient`,
      body: 'Ein Kunde, den du geworben hast, hat bezahlt. Nach der Wartezeit kannst du deine Provision nutzen.',
      rows: [['Provision', amount(it)]],
      action: COMMISSION,
    }),
    commission_available: (it) => ({
      title: `Provision verfügbar: ${amount(it)}`,
      body: `Die Wartezeit ist vorbei. Ab ${formatAmount(2000, it.currency, 'de')} kannst du Provision in Guthaben umwandeln.`,
      rows: [['Verfügbar', amount(it)]],
      action: COMMISSION,
    }),
    commission_reversed: (it) => ({
      title: `Provision storniert: ${amount(it)}`,
      body: 'Eine Zahlung eines Kunden, den du geworben hast, wurde erstattet, zurückgebucht oder nicht akzeptiert.',
      rows: [['Storniert', amount(it)]],
      action: COMMISSION,
    }),
    commission_restored: (it) => ({
      title: `Provision wiederhergestellt: ${amount(it)}`,
      body: 'Eine zurückgebuchte Zahlung wurde doch noch bezahlt.',
      rows: [['Wiederhergestellt', amount(it)]],
      action: COMMISSION,
    }),
    impersonated: () => ({
      title: 'Ein Mitglied unseres Teams sieht dein Konto an',
      body: 'Die Person sieht höchstens 30 Minuten lang, was du siehst. Wie du dich anmeldest oder bezahlst, kann sie weder sehen noch ändern.',
    }),
    admin_attention: (it) => ({ action: 'Details ansehen', ...attentionText(attention, it) }),
    password_changed: () => ({
      title: 'Dein Passwort wurde geändert',
      body: `Du wurdest überall abgemeldet, und deine API-Schlüssel wurden widerrufen. ${NOT_YOU}`,
      action: SECURITY,
    }),
    registration_attempted: () => ({
      title: 'Jemand wollte sich mit deiner Adresse registrieren',
      body: 'Du hast bereits ein Konto, daher wurde kein neues erstellt. Wenn du es warst, melde dich an oder setze dein Passwort zurück, falls du es vergessen hast. Wenn du es nicht warst, musst du nichts tun.',
      action: 'Zu deinem Konto',
    }),
    session_stolen: () => ({
      title: 'Wir haben eine deiner Sitzungen beendet',
      body: `Eines ihrer Token wurde zweimal verwendet. Vielleicht hat es jemand kopiert. ${NOT_YOU}`,
      action: SECURITY,
    }),
    application_stolen: (it) => ({
      title: `Wir haben deine Anmeldung bei ${it.application} beendet`,
      body: `Ein Token, das ${it.application} für dein Konto hat, wurde zweimal verwendet. Vielleicht hat es jemand kopiert. Melde dich dort neu an. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} schützt jetzt dein Konto`,
      body: `Ab jetzt ist für die Anmeldung ein zweiter Faktor nötig. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} wurde aus deinem Konto entfernt`,
      body: `Damit ist keine Anmeldung mehr möglich. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_codes_made: () => ({
      title: 'Du hast neue Wiederherstellungscodes',
      body: `Die alten Codes funktionieren nicht mehr. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_code_used: (it) => ({
      title: 'Ein Wiederherstellungscode wurde verwendet',
      body: `Du hast noch ${it.left} ${plural('de', it.left, 'Code', 'Codes')}. ${NOT_YOU}`,
      action: SECURITY,
    }),
    passkey_copied: (it) => ({
      title: `Der Passkey ${it.name} wurde abgelehnt`,
      body: 'Sein Zähler lief rückwärts, es gibt also vielleicht eine Kopie. Entferne den Passkey, außer du kennst den Grund.',
      action: SECURITY,
    }),
    account_connected: (it) => ({
      title: `Das ${providerName(it.provider)}-Konto ${it.name} wurde verknüpft`,
      body: `Es ist jetzt mit deinem Konto verknüpft. ${NOT_YOU}`,
      action: SECURITY,
    }),
    account_disconnected: (it) => ({
      title: `Das ${providerName(it.provider)}-Konto ${it.name} wurde getrennt`,
      body: `Es ist nicht mehr mit deinem Konto verknüpft. ${NOT_YOU}`,
      action: SECURITY,
    }),
    vat_number_invalid: (it) => ({
      title: `Deine USt-IdNr. ${it.vatNumber} konnte nicht bestätigt werden`,
      body: 'Sie steht nicht im EU-Register (VIES). Deine nächsten Rechnungen enthalten MwSt., bis dein Profil eine gültige Nummer hat. Bestehende Rechnungen ändern sich nicht.',
      action: 'Rechnungsdaten prüfen',
    }),
    ticket_opened: (it) => ({
      title: `Wir haben dir geschrieben: Ticket ${it.number}`,
      body: `In Ticket ${it.number} gibt es eine Nachricht für dich.`,
      action: VIEW_TICKET,
    }),
    ticket_answered: (it) => ({
      title: `Antwort auf Ticket ${it.number}`,
      body: `In Ticket ${it.number} gibt es eine neue Nachricht.${attachedText('de', it.files)}`,
      action: VIEW_TICKET,
    }),
    ticket_closed: (it) => ({
      title: `Ticket ${it.number} ist geschlossen`,
      body: `Wir haben Ticket ${it.number} geschlossen. Wenn noch etwas offen ist, schreibe dort eine Nachricht, dann wird es wieder geöffnet.`,
      action: VIEW_TICKET,
    }),
    ticket_closing: (it) => ({
      title: `Ticket ${it.number} wird am ${day(it.closesOn)} geschlossen`,
      body: `Auf Ticket ${it.number} steht eine Antwort, seither wurde nichts geschrieben. Wenn noch etwas offen ist, schreibe dort eine Nachricht, dann bleibt es offen.`,
      action: VIEW_TICKET,
    }),
    ticket_new: (it) => ({
      title: `Neues Ticket ${it.number}`,
      body: `Ein Kunde hat Ticket ${it.number} eröffnet.`,
      action: VIEW_TICKET,
    }),
    ticket_assigned: (it) => ({
      title: `Ticket ${it.number} ist dir zugewiesen`,
      body: `Ticket ${it.number} wurde dir zugewiesen.`,
      action: VIEW_TICKET,
    }),
    ticket_customer_replied: (it) => ({
      title: `Ein Kunde hat in Ticket ${it.number} geschrieben`,
      body: `In Ticket ${it.number} gibt es eine neue Nachricht des Kunden.${attachedText('de', it.files)}`,
      action: VIEW_TICKET,
    }),
    mail_undeliverable: (it) => ({
      title: 'Unsere E-Mails erreichen dich nicht',
      body: `Der Mailserver von ${it.address} meldet, dass es diese Adresse nicht gibt. Wir schicken nichts mehr dorthin, bis du die Adresse erneut bestätigst oder eine andere wählst.`,
    }),
    incident_opened: (it) => ({
      title: `Störung: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_updated: (it) => ({
      title: `Störung, Neuigkeit: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_resolved: (it) => ({
      title: `Behoben: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    maintenance_planned: (it) => ({
      title: `Geplante Wartung: ${it.title}`,
      body: `${it.text}\n\n${times(it)}`,
      action: VIEW_STATUS,
    }),
    maintenance_changed: (it) => ({
      title: `${maintenance(it.step)}${it.title}`,
      body: it.step === 'changed' ? `${it.text}\n\n${times(it)}` : it.text,
      action: VIEW_STATUS,
    }),
    announcement: ({ title, body }) => ({ title, body, action: 'Weiterlesen' }),
  },
  mails: {
    verify_email: () => ({
      title: 'Bestätige deine E-Mail-Adresse',
      body: 'Bitte bestätige, dass das deine E-Mail-Adresse ist.',
      action: 'Adresse bestätigen',
      after: NOT_ASKED,
    }),
    reset_password: () => ({
      title: 'Setze dein Passwort zurück',
      body: 'Du möchtest dein Passwort zurücksetzen. Mit dem Button kannst du ein neues wählen.',
      action: 'Neues Passwort wählen',
      after: NOT_ASKED,
    }),
    account_created: () => ({
      title: 'Dein Konto ist bereit',
      body: 'Wir haben mit dieser E-Mail-Adresse ein Konto für dich erstellt. Mit dem Button kannst du ein Passwort wählen. Der Link ist 7 Tage gültig.',
      action: 'Passwort wählen',
      after: 'Wenn du kein Konto bei uns erwartest, ignoriere diese E-Mail.',
    }),
    service_invitation: ({ inviter, service }) => ({
      title: `${inviter} teilt einen Server mit dir`,
      body: `${inviter} lädt dich ein, den Server ${service} zu nutzen.`,
      action: 'Einladung öffnen',
      after: 'Wenn du diese Person nicht kennst, ignoriere diese E-Mail.',
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'Eine neue E-Mail-Adresse für dein Konto',
      body: `Jemand möchte diese Adresse durch ${newEmail} ersetzen. Diese Adresse bleibt gültig, bis die neue bestätigt ist. ${NOT_YOU}`,
    }),
    mail_test: () => ({
      title: 'Test-E-Mail',
      body: 'Dein Mailserver hat diese E-Mail angenommen. E-Mails an deine Kunden werden auf demselben Weg verschickt.',
    }),
    staff_message: ({ subject, text }) => ({ title: subject, body: text }),
    more_attention: ({ times }) => ({
      title: 'Weitere Punkte brauchen deine Aufmerksamkeit',
      body: `Innerhalb einer Stunde sind mehr als ${times} Punkte aufgekommen, deshalb werden die übrigen nicht per E-Mail verschickt. Du findest sie alle in deinen Benachrichtigungen.`,
      action: 'Benachrichtigungen ansehen',
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Deine E-Mail-Adresse wurde geändert',
      body: `Dein Konto verwendet jetzt ${newEmail} statt dieser Adresse. ${NOT_YOU}`,
    }),
  },
}
