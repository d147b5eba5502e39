import { plural } from '#lib/plural.ts'
import { type AttentionTexts, detailsIn, failureIn, type ReportWords } from '../attention.ts'
import { dayText } from '../days.ts'

function day(value: string): string {
  return dayText(value, 'de-DE')
}

const words: ReportWords = {
  locale: 'de',
  colon: ': ',
  labels: {
    amountCents: 'Betrag',
    accountId: 'Konto',
    askedCents: 'Erwartet',
    attemptId: 'Versuch',
    code: 'Code',
    count: 'Anzahl',
    disputeId: 'Anfechtung',
    eventId: 'Ereignis',
    eventKey: 'Ereignis des Anbieters',
    gatewayId: 'Zahlungs-Gateway',
    message: 'Antwort',
    name: 'Name',
    objectId: 'ID beim Anbieter',
    paymentId: 'Zahlung',
    receivedCents: 'Erhalten',
    refundCents: 'Erstattet',
    refundId: 'Erstattung',
    requestedCents: 'Angefordert',
    state: 'Zustand',
    statementId: 'Kontoauszug',
    type: 'Typ',
    userId: 'Kunde',
    why: 'Abweichung',
  },
  failures: {
    account_busy: 'Das Panel-Konto des Kunden wird gerade von einem anderen Prozess erstellt.',
    backups_in_use: 'Der Server hat mehr Backups, als das neue Produkt hat.',
    country_unknown: 'Das Land des Kunden ist unbekannt.',
    databases_in_use: 'Der Server hat mehr Datenbanken, als das neue Produkt hat.',
    disk_in_use: 'Der Server belegt mehr Speicherplatz, als das neue Produkt hat.',
    given_up: 'Ein Betreiber hat es abgebrochen.',
    no_blueprint: 'Das Produkt hat keine Bereitstellung.',
    no_capacity: 'Dafür ist kein Platz frei.',
    no_customer: 'Den Kunden gibt es nicht mehr.',
    no_egg: 'Das Egg des Produkts ist auf diesem Panel nicht vorhanden.',
    no_panel: 'Keines der Panels des Produkts hat das Egg.',
    node_deleted: 'Die Verbindung zum Panel wurde gelöscht.',
    not_done: 'Das Panel hat die Änderung bestätigt, aber nicht ausgeführt.',
    ports_in_use: 'Der Server hat mehr Ports, als das neue Produkt hat.',
    server_gone: 'Der Server ist auf dem Panel nicht vorhanden.',
    service_ended: 'Der Dienst ist beendet oder endet in Kürze.',
    tax_rate_unknown: 'Für das Land des Kunden gibt es keinen Steuersatz.',
    trial_used: 'Ein anderer Kunde hat dieses Produkt mit demselben Panel-Konto getestet.',
    unexpected: 'Die Rechnung dazu konnte nicht erstellt werden. Der Grund steht im Log.',
    unmanaged:
      'Der Server dazu läuft auf keinem verbundenen Panel. Bitte kümmere dich von Hand darum.',
  },
}

const GOALS = {
  active: 'gestartet',
  suspended: 'gesperrt',
  ended: 'heruntergefahren',
  deleted: 'gelöscht',
} as const

const TASKS = {
  create: 'liefern',
  change: 'ändern',
  suspend: 'sperren',
  resume: 'entsperren',
  end: 'beenden',
} as const

const DELIVERIES = {
  create: 'Die Lieferung',
  change: 'Die Änderung',
  suspend: 'Die Sperrung',
  resume: 'Das Ende der Sperrung',
  end: 'Das Ende',
} as const

const DISABLED = {
  gone: 'Er hat mit 410 Gone geantwortet: Er nimmt keine Ereignisse mehr an.',
  failing: 'Zustellungen an ihn schlagen seit fünf Tagen fehl.',
} as const

/** What administrators are told of their work, in German. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title:
      it.others > 0
        ? `${it.name} und ${it.others} ${plural('de', it.others, 'weiterer Dienst', 'weitere Dienste')} konnten nicht verlängert werden`
        : `${it.name} konnte nicht verlängert werden`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `${it.name} konnte nicht neu installiert werden`,
    body: `Die Neuinstallation von ${it.name} ist auf dem Panel fehlgeschlagen.`,
  }),
  upgrade_failed: (it) => ({
    title: `${it.name} konnte nicht geändert werden`,
    body: failureIn(words, it),
  }),
  task_created: (it) => ({
    title: `Neue Aufgabe: ${it.name} ${TASKS[it.action]}`,
    body: `Sie ist am ${day(it.dueOn)} fällig.`,
  }),
  delivery_failed: ({ name, action, code, detail }) =>
    code === 'unconfirmed'
      ? {
          title: `${DELIVERIES[action]} von ${name} wurde nicht bestätigt`,
          body: `Dein System unter ${detail} hat das nicht rechtzeitig bestätigt. Prüfe es; die Seite des Dienstes zeigt jeden Versuch.`,
        }
      : {
          title: `${DELIVERIES[action]} von ${name} ist fehlgeschlagen`,
          body:
            code === 'unanswered'
              ? `Dein System hat das trotz aller Versuche drei Tage lang nicht bestätigt. Letztes Ergebnis: ${detail}`
              : `Antwort deines Systems: ${detail}`,
        },
  service_stuck: (it) => ({
    title: `Der Server von ${it.name} konnte nicht ${GOALS[it.goal]} werden`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `${it.name} konnte nicht eingerichtet werden`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `${it.name} wartet auf die Einrichtung`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'Eine USt-IdNr. steht nicht im EU-Register',
    body: `${it.email}: ${it.vatNumber}. Die nächsten Rechnungen enthalten MwSt.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'Ein geändertes Egg verhindert neue Server einiger Produkte'
      : 'Ein von Produkten verwendetes Egg hat sich geändert',
    body: [
      `Eggs: ${eggs.join(', ')}`,
      ...products.map(
        ({ name, faults }) =>
          `${name}: ${faults || 'neue Server können wie bisher erstellt werden'}`,
      ),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `${name} wird nicht mehr verkauft`,
    body: [
      'Das Produkt kann nicht mehr geliefert werden, daher zeigt und verkauft der Shop es nicht mehr. Bestehende Dienste laufen weiter.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `Der Webhook-Endpunkt ${it.host} wurde deaktiviert`,
    body: `${DISABLED[it.reason]} Neue Ereignisse bleiben gespeichert und können erneut gesendet werden.`,
  }),
  mail_server_failing: (it) => ({
    title: `Der Mailserver ${it.host} nimmt keine E-Mails an`,
    body: `Der Versand der E-Mails wird über einen Tag lang erneut versucht. Bitte prüfe die Einstellungen des Mailservers. Seine Antwort: ${it.answer}`,
  }),
  mail_text_not_used: (it) => ({
    title: 'Dein Text für eine E-Mail wurde nicht verwendet',
    body: `Statt „${it.subject}“ (${it.language}) wurde der Standardtext verschickt: Der Platzhalter {{${it.placeholder}}} hat in dieser E-Mail keinen Wert.`,
    action: 'Text ansehen',
  }),
  import_not_undone: ({ file, inUse }) => ({
    title: `Der Import von ${file} wurde nicht rückgängig gemacht`,
    body: inUse
      ? 'Seine Einträge werden inzwischen verwendet. Die Seite des Imports listet sie auf.'
      : 'Alle Versuche, ihn rückgängig zu machen, sind fehlgeschlagen, und es wurde nichts entfernt. Der Grund steht im Log. Du kannst es erneut versuchen.',
  }),
  warning_refused: (it) => ({
    title: `Unsere Mitteilungen zu ${it.name} kommen nicht an`,
    body:
      it.step === 'end'
        ? `Wir konnten dem Kunden nicht per E-Mail mitteilen, dass der Dienst endet, weil er nicht bezahlt ist. Er endet trotzdem, frühestens am ${day(it.on)}. Bis dahin kannst du den Kunden anders kontaktieren oder die E-Mail erneut senden.`
        : `Wir konnten dem Kunden nicht per E-Mail mitteilen, dass der Server gesperrt wird, weil er nicht bezahlt ist. Er wird trotzdem gesperrt, frühestens am ${day(it.on)}. Bis dahin kannst du den Kunden anders kontaktieren oder die E-Mail erneut senden.`,
  }),
  failed_not_refunded: ({ count }) => ({
    title: `${count} ${plural('de', count, 'fehlgeschlagener Dienst wird', 'fehlgeschlagene Dienste werden')} nicht automatisch erstattet`,
    body: 'Die Tagesgrenze für automatische Erstattungen ist erreicht, oder eine Erstattung ist nicht möglich. Prüfe, ob das Panel funktioniert, und versuche es dann erneut oder erstatte die Dienste.',
  }),
  import_reconciled: (it) => ({
    title: `Die ersten ${it.days} Tage nach dem Import von ${it.file} sind abgeglichen`,
    body:
      it.unexplained === 0
        ? `Die Rechnungsbeträge aller ${it.customers} Kunden entsprechen der Vorschau, oder die Abweichung ist erklärt.`
        : `Bei ${it.unexplained} von ${it.customers} Kunden weicht der Rechnungsbetrag ohne bekannten Grund von der Vorschau ab. Prüfe sie.`,
  }),
  bank_entries_open: (it) => ({
    title: 'Eine Überweisung mit unbekanntem Verwendungszweck ist eingegangen',
    ...detailsIn(words, it),
  }),
  books_differ: (it) => ({
    title: 'Die Aufzeichnungen eines Zahlungsanbieters weichen von unseren ab',
    ...detailsIn(words, it),
  }),
  books_not_read: (it) => ({
    title: 'Ein Zahlungsanbieter hat den Zugriff auf seine Zahlungsliste verweigert',
    ...detailsIn(words, it),
  }),
  change_not_credited: (it) => ({
    title:
      'Ein Tarifwechsel wurde nicht vollständig gutgeschrieben, weil eine Zahlung angefochten ist',
    ...detailsIn(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'Eine Anfechtungsgebühr in einer anderen Währung wurde nicht verbucht',
    ...detailsIn(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'Ein Ereignis eines Zahlungsanbieters konnte nicht verarbeitet werden',
    ...detailsIn(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'Ein Zahlungs-Gateway hat ein Ereignis des anderen Modus erhalten',
    ...detailsIn(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'Die Zugangsdaten eines Zahlungs-Gateways werden nicht mehr akzeptiert',
    ...detailsIn(words, it),
  }),
  late_payment: (it) => ({
    title: 'Eine Zahlung ist für eine Rechnung eingegangen, die nicht mehr offen war',
    ...detailsIn(words, it),
  }),
  payment_disputed: (it) => ({
    title: 'Eine Zahlung ist angefochten',
    ...detailsIn(words, it),
  }),
  payment_mismatch: (it) => ({
    title: 'Eine Zahlung weicht von der Anforderung ab und wurde nicht verbucht',
    ...detailsIn(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'Eine Zahlung konnte nicht gestartet werden',
    ...detailsIn(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'Eine Erstattung beim Anbieter war höher als das Guthaben des Kunden',
    ...detailsIn(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'Eine Erstattung muss von Hand ausgezahlt werden',
    ...detailsIn(words, it),
  }),
  refund_failed: (it) => ({
    title: 'Eine Erstattung ist fehlgeschlagen und wurde dem Guthaben des Kunden gutgeschrieben',
    ...detailsIn(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'Eine Erstattung passt nicht zu ihrer Zahlung und wurde nicht verbucht',
    ...detailsIn(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'Eine Erstattung konnte nicht an den Anbieter übermittelt werden',
    ...detailsIn(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'Der Webhook konnte bei einem Zahlungsanbieter nicht registriert werden',
    ...detailsIn(words, it),
  }),
}
