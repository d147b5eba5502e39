import { plural } from '#lib/plural.ts'
import { type AttentionTexts, detailsIn, failureIn, type ReportWords } from '../attention.ts'
import { dayText } from '../days.ts'

function day(value: string): string {
  return dayText(value, 'pl-PL')
}

const words: ReportWords = {
  locale: 'pl',
  colon: ': ',
  labels: {
    amountCents: 'Kwota',
    accountId: 'Konto',
    askedCents: 'Oczekiwano',
    attemptId: 'Próba',
    code: 'Kod',
    count: 'Liczba',
    disputeId: 'Spór',
    eventId: 'Zdarzenie',
    eventKey: 'Zdarzenie operatora',
    gatewayId: 'Bramka płatności',
    message: 'Odpowiedź',
    name: 'Nazwa',
    objectId: 'Identyfikator u operatora',
    paymentId: 'Płatność',
    receivedCents: 'Otrzymano',
    refundCents: 'Zwrócono',
    refundId: 'Zwrot',
    requestedCents: 'Zażądano',
    state: 'Stan',
    statementId: 'Wyciąg bankowy',
    type: 'Typ',
    userId: 'Klient',
    why: 'Różnica',
  },
  failures: {
    account_busy: 'Inny proces właśnie tworzy konto klienta w panelu.',
    backups_in_use: 'Serwer ma więcej kopii zapasowych, niż pozwala nowy produkt.',
    country_unknown: 'Kraj klienta jest nieznany.',
    databases_in_use: 'Serwer ma więcej baz danych, niż pozwala nowy produkt.',
    disk_in_use: 'Serwer zajmuje więcej miejsca na dysku, niż ma nowy produkt.',
    given_up: 'Operacja została anulowana przez operatora.',
    no_blueprint: 'Produkt nie ma ustawień tworzenia serwera.',
    no_capacity: 'Nie ma na to miejsca.',
    no_customer: 'Klient już nie istnieje.',
    no_egg: 'Egga produktu nie ma w tym panelu.',
    no_panel: 'Egga nie ma w żadnym z paneli produktu.',
    node_deleted: 'Połączenie z panelem zostało usunięte.',
    not_done: 'Panel potwierdził zmianę, ale jej nie wprowadził.',
    ports_in_use: 'Serwer ma więcej portów, niż pozwala nowy produkt.',
    server_gone: 'Serwera nie ma w panelu.',
    service_ended: 'Usługa się zakończyła albo zaraz się zakończy.',
    tax_rate_unknown: 'Brak stawki VAT dla kraju klienta.',
    trial_used: 'Inny klient wypróbował już ten produkt z tym samym kontem w panelu.',
    unexpected: 'Nie udało się utworzyć faktury. Przyczyna jest w dzienniku.',
    unmanaged: 'Serwera nie ma w żadnym podłączonym panelu. Obsłuż go ręcznie.',
  },
}

const GOALS = {
  active: 'uruchomić',
  suspended: 'wstrzymać',
  ended: 'wyłączyć',
  deleted: 'usunąć',
} as const

const TASKS = {
  create: 'dostarcz',
  change: 'zmień',
  suspend: 'wstrzymaj',
  resume: 'wznów',
  end: 'zakończ',
} as const

const DELIVERIES = {
  create: 'dostarczenie',
  change: 'zmiana',
  suspend: 'wstrzymanie',
  resume: 'koniec wstrzymania',
  end: 'zakończenie',
} as const

const DISABLED = {
  gone: 'Odpowiedział 410 Gone: nie przyjmuje już zdarzeń.',
  failing: 'Wysyłka nie powodzi się od pięciu dni.',
} as const

/** What administrators are told of their work, in Polish. */
export const attention: AttentionTexts = {
  renewal_failed: (it) => ({
    title: `Nie udało się odnowić usługi ${it.others > 0 ? `${it.name} i ${it.others === 1 ? '1 innej' : `${it.others} innych`}` : it.name}`,
    body: failureIn(words, it),
  }),
  reinstall_failed: (it) => ({
    title: `Nie udało się ponownie zainstalować serwera ${it.name}`,
    body: `Ponowna instalacja serwera ${it.name} w panelu nie powiodła się.`,
  }),
  upgrade_failed: (it) => ({
    title: `Nie udało się zmienić usługi ${it.name}`,
    body: failureIn(words, it),
  }),
  task_created: (it) => ({
    title: `Nowe zadanie: ${TASKS[it.action]} usługę ${it.name}`,
    body: `Termin: ${day(it.dueOn)}.`,
  }),
  delivery_failed: ({ name, action, code, detail }) =>
    code === 'unconfirmed'
      ? {
          title: `${name}: ${DELIVERIES[action]} – brak potwierdzenia`,
          body: `Twój system pod adresem ${detail} nie potwierdził tego na czas. Sprawdź go; strona usługi pokazuje każdą próbę.`,
        }
      : {
          title: `${name}: ${DELIVERIES[action]} – niepowodzenie`,
          body:
            code === 'unanswered'
              ? `Twój system nie potwierdził tego przez trzy dni prób. Ostatni wynik: ${detail}`
              : `Odpowiedź twojego systemu: ${detail}`,
        },
  service_stuck: (it) => ({
    title: `Nie udało się ${GOALS[it.goal]} serwera usługi ${it.name}`,
    body: failureIn(words, it),
  }),
  setup_failed: (it) => ({
    title: `Nie udało się przygotować usługi ${it.name}`,
    body: failureIn(words, it),
  }),
  setup_waits: (it) => ({
    title: `Usługa ${it.name} czeka na przygotowanie`,
    body: failureIn(words, it),
  }),
  vat_number_refused: (it) => ({
    title: 'Numeru VAT nie ma w rejestrze UE',
    body: `${it.email}: ${it.vatNumber}. Kolejne faktury będą zawierać VAT.`,
  }),
  eggs_changed: ({ eggs, products }) => ({
    title: products.some(({ faults }) => faults !== '')
      ? 'Zmieniony egg uniemożliwia tworzenie serwerów niektórych produktów'
      : 'Zmienił się egg używany przez produkty',
    body: [
      `Eggi: ${eggs.join(', ')}`,
      ...products.map(
        ({ name, faults }) => `${name}: ${faults || 'nowe serwery można tworzyć jak dotąd'}`,
      ),
    ].join('\n'),
  }),
  product_not_sold: ({ name, faults }) => ({
    title: `Produkt ${name} nie jest już sprzedawany`,
    body: [
      'Nie można go już dostarczyć, więc sklep go nie pokazuje ani nie sprzedaje. Istniejące usługi działają dalej.',
      ...faults,
    ].join('\n'),
  }),
  endpoint_disabled: (it) => ({
    title: `Odbiorca webhooków ${it.host} został wyłączony`,
    body: `${DISABLED[it.reason]} Nowe zdarzenia są przechowywane i można je wysłać ponownie.`,
  }),
  mail_server_failing: (it) => ({
    title: `Serwer poczty ${it.host} nie przyjmuje wiadomości`,
    body: `Wysyłka jest ponawiana przez ponad dobę. Sprawdź ustawienia serwera poczty. Jego odpowiedź: ${it.answer}`,
  }),
  mail_text_not_used: (it) => ({
    title: 'Twój tekst wiadomości nie został użyty',
    body: `Zamiast „${it.subject}” (${it.language}) wysłano tekst standardowy: zmienna {{${it.placeholder}}} nie ma wartości w tej wiadomości.`,
    action: 'Zobacz tekst',
  }),
  import_not_undone: ({ file, inUse }) => ({
    title: `Import pliku ${file} nie został cofnięty`,
    body: inUse
      ? 'Jego dane są już używane. Lista jest na stronie importu.'
      : 'Żadna próba cofnięcia się nie powiodła i nic nie zostało usunięte. Przyczyna jest w dzienniku. Możesz spróbować ponownie.',
  }),
  warning_refused: (it) => ({
    title: `Nasze wiadomości o usłudze ${it.name} nie docierają`,
    body:
      it.step === 'end'
        ? `Nie udało się powiadomić klienta e-mailem, że usługa zakończy się z powodu braku płatności. Mimo to zakończy się najwcześniej ${day(it.on)}. Do tego czasu możesz skontaktować się z klientem w inny sposób albo wysłać e-mail ponownie.`
        : `Nie udało się powiadomić klienta e-mailem, że serwer zostanie wstrzymany z powodu braku płatności. Mimo to zostanie wstrzymany najwcześniej ${day(it.on)}. Do tego czasu możesz skontaktować się z klientem w inny sposób albo wysłać e-mail ponownie.`,
  }),
  failed_not_refunded: ({ count }) => ({
    title: `${plural('pl', count, 'Usługa, która się nie powiodła', 'Usługi, które się nie powiodły')} (${count}): brak automatycznego zwrotu`,
    body: 'Osiągnięto dzienny limit automatycznych zwrotów albo zwrot nie jest możliwy. Sprawdź, czy panel działa, a potem spróbuj ponownie lub zwróć pieniądze za te usługi.',
  }),
  import_reconciled: (it) => ({
    title: `Uzgodniono dane z pierwszych ${it.days} dni po imporcie pliku ${it.file}`,
    body:
      it.unexplained === 0
        ? `U wszystkich klientów (${it.customers}) kwoty na fakturach zgadzają się z podglądem albo różnica jest wyjaśniona.`
        : `U ${it.unexplained} z ${it.customers} klientów kwota na fakturze różni się od podglądu bez znanej przyczyny. Sprawdź te faktury.`,
  }),
  bank_entries_open: (it) => ({
    title: 'Wpłynął przelew z nieznanym tytułem',
    ...detailsIn(words, it),
  }),
  books_differ: (it) => ({
    title: 'Zapisy operatora płatności różnią się od naszych',
    ...detailsIn(words, it),
  }),
  books_not_read: (it) => ({
    title: 'Operator płatności odmówił dostępu do listy płatności',
    ...detailsIn(words, it),
  }),
  change_not_credited: (it) => ({
    title: 'Zmiana planu nie została w pełni rozliczona, bo płatność jest kwestionowana',
    ...detailsIn(words, it),
  }),
  dispute_fee_currency: (it) => ({
    title: 'Opłata za spór w innej walucie nie została zaksięgowana',
    ...detailsIn(words, it),
  }),
  event_not_applied: (it) => ({
    title: 'Nie udało się przetworzyć zdarzenia operatora płatności',
    ...detailsIn(words, it),
  }),
  event_of_other_mode: (it) => ({
    title: 'Bramka płatności otrzymała zdarzenie z innego trybu',
    ...detailsIn(words, it),
  }),
  gateway_unhealthy: (it) => ({
    title: 'Dane dostępowe bramki płatności nie są już przyjmowane',
    ...detailsIn(words, it),
  }),
  late_payment: (it) => ({
    title: 'Wpłynęła płatność za fakturę, która nie była już otwarta',
    ...detailsIn(words, it),
  }),
  payment_disputed: (it) => ({ title: 'Płatność jest kwestionowana', ...detailsIn(words, it) }),
  payment_mismatch: (it) => ({
    title: 'Płatność różni się od żądanej i nie została zaksięgowana',
    ...detailsIn(words, it),
  }),
  payment_not_started: (it) => ({
    title: 'Nie udało się rozpocząć płatności',
    ...detailsIn(words, it),
  }),
  refund_beyond_credit: (it) => ({
    title: 'Zwrot u operatora przekroczył saldo klienta',
    ...detailsIn(words, it),
  }),
  refund_by_hand: (it) => ({
    title: 'Zwrot trzeba wypłacić ręcznie',
    ...detailsIn(words, it),
  }),
  refund_failed: (it) => ({
    title: 'Zwrot nie powiódł się i został dodany do salda klienta',
    ...detailsIn(words, it),
  }),
  refund_mismatch: (it) => ({
    title: 'Zwrot nie zgadza się z płatnością i nie został zaksięgowany',
    ...detailsIn(words, it),
  }),
  refund_not_sent: (it) => ({
    title: 'Nie udało się przekazać zwrotu operatorowi płatności',
    ...detailsIn(words, it),
  }),
  webhook_not_registered: (it) => ({
    title: 'Nie udało się zarejestrować webhooka u operatora płatności',
    ...detailsIn(words, it),
  }),
}
