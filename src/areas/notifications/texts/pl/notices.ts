import { formatAmount } from '#lib/currency.ts'
import { plural } from '#lib/plural.ts'
import { attachedText } from '../attached.ts'
import { attentionText } from '../attention.ts'
import { dayText, timesText } from '../days.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'pl')
}

function day(value: string): string {
  return dayText(value, 'pl-PL')
}

/** How the title of an update of maintenance begins. */
function maintenance(step: string): string {
  if (step === 'canceled') return 'Odwołano prace: '
  return step === 'completed' ? 'Zakończono prace: ' : 'Prace, nowe informacje: '
}

/** When planned maintenance takes place. */
function times(facts: { startsAt: string; endsAt: string }): string {
  return timesText(facts, 'pl-PL')
}

const VIEW_STATUS = 'Zobacz stan usług'
const VIEW_TICKET = 'Zobacz zgłoszenie'
const NOT_YOU = 'Jeśli to nie ty, zmień hasło i skontaktuj się z nami.'
const NOT_ASKED = 'Jeśli to nie była twoja prośba, zignoruj tę wiadomość.'
const VIEW_INVOICE = 'Zobacz fakturę'
const PAY = 'Zapłać teraz'
const OPEN_SERVICE = 'Zobacz usługę'
const OPEN_SERVER = 'Otwórz serwer'
const SECURITY = 'Sprawdź ustawienia bezpieczeństwa'
const COMMISSION = 'Zobacz swoją prowizję'
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }
const hasServer = ({ delivery }: Delivered) => (delivery ?? 'server') === 'server'
const openOf = (it: Delivered) => (hasServer(it) ? OPEN_SERVER : OPEN_SERVICE)
/** What a service is called, in the cases that sentences need. */
const nounOf = (it: Delivered) => (hasServer(it) ? 'serwer' : 'usługa')
const titleNounOf = (it: Delivered) => (hasServer(it) ? 'Serwer' : 'Usługa')
const genitiveOf = (it: Delivered) => (hasServer(it) ? 'serwera' : 'usługi')
const accusativeOf = (it: Delivered) => (hasServer(it) ? 'serwer' : 'usługę')
const UPGRADE_OBSTACLES = {
  no_capacity: 'W tej chwili nie ma na to miejsca.',
  disk_in_use: 'Serwer zajmuje więcej miejsca na dysku, niż ma nowy plan: usuń to, co zbędne.',
  ports_in_use: 'Serwer ma więcej portów, niż pozwala nowy plan: usuń część z nich.',
  databases_in_use: 'Serwer ma więcej baz danych, niż pozwala nowy plan: usuń część z nich.',
  backups_in_use: 'Serwer ma więcej kopii zapasowych, niż pozwala nowy plan: usuń część z nich.',
}
const FACTORS = {
  totp: {
    added: 'Aplikacja uwierzytelniająca chroni teraz twoje konto',
    removed: 'Aplikacja uwierzytelniająca została usunięta z twojego konta',
  },
  passkey: {
    added: 'Klucz dostępu chroni teraz twoje konto',
    removed: 'Klucz dostępu został usunięty z twojego konta',
  },
}

/** Notifications and mails in Polish. */
export const texts: Texts = {
  greeting: (name) => (name ? `Cześć ${name},` : 'Cześć,'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => {
      const due = formatAmount(it.dueCents, it.currency, 'pl')
      const isDue = it.dueCents > 0
      return {
        title: `Twoja faktura na kwotę ${amount(it)}`,
        body: !isDue
          ? `Oto twoja faktura ${it.number} na kwotę ${amount(it)}. Nie ma już nic do zapłaty.`
          : it.dueOn
            ? `Do zapłaty za fakturę ${it.number}: ${due}. Termin płatności: ${day(it.dueOn)}.`
            : `Do zapłaty za fakturę ${it.number}: ${due}.`,
        rows: [
          ['Faktura', it.number],
          ['Razem', amount(it)],
          ['Do zapłaty', due],
          ...(isDue && it.dueOn ? [['Termin płatności', day(it.dueOn)] as const] : []),
        ],
        action: isDue ? PAY : VIEW_INVOICE,
      }
    },
    order_placed: (it) => ({
      title: `Złożyliśmy dla ciebie zamówienie: ${amount(it)}`,
      body: it.dueOn
        ? `Zamówienie ${it.number} czeka na zapłatę. Kwota: ${amount(it)}. Termin płatności: ${day(it.dueOn)}. Jeśli go nie chcesz, nie musisz nic robić: wygaśnie tego dnia.`
        : `Złożyliśmy dla ciebie zamówienie ${it.number}. Nie ma nic do zapłaty.`,
      rows: [
        ['Zamówienie', it.number],
        ['Razem', amount(it)],
        ...(it.dueOn ? [['Termin płatności', day(it.dueOn)] as const] : []),
      ],
      action: it.dueOn ? PAY : VIEW_INVOICE,
    }),
    invoice_paid: (it) => ({
      title: `Mamy twoją płatność: ${amount(it)}`,
      body: `Faktura ${it.number} na kwotę ${amount(it)} jest opłacona. Dziękujemy.`,
      rows: [
        ['Faktura', it.number],
        ['Zapłacono', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_failed: (it) => ({
      title: `Płatność ${amount(it)} nie powiodła się`,
      body: `Nie udało się pobrać kwoty ${amount(it)}${it.number ? ` za fakturę ${it.number}` : ''}. ${PAYMENT_FAILURES[it.why]} Możesz spróbować ponownie w każdej chwili.`,
      rows: [...(it.number ? [['Faktura', it.number] as const] : []), ['Do zapłaty', amount(it)]],
      action: PAY,
    }),
    payment_action_required: (it) => ({
      title: `Potwierdź płatność ${amount(it)}`,
      body: `Twój bank prosi o potwierdzenie płatności ${amount(it)}${it.number ? ` za fakturę ${it.number}` : ''}.`,
      rows: [...(it.number ? [['Faktura', it.number] as const] : []), ['Kwota', amount(it)]],
      action: 'Potwierdź płatność',
    }),
    refund_made: (it) => ({
      title: `Twój zwrot: ${amount(it)}`,
      body: it.toCredit
        ? `Do twojego salda dodaliśmy ${amount(it)} za fakturę ${it.number}.`
        : `Za fakturę ${it.number} zwróciliśmy ${amount(it)} na twoją metodę płatności. Pieniądze mogą dotrzeć po kilku dniach.`,
      rows: [
        ['Faktura', it.number],
        ['Zwrot', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    credit_added: (it) => ({
      title: `Twoje saldo wzrosło o ${amount(it)}`,
      body: `Do twojego salda dodaliśmy ${amount(it)}. ${CREDIT_REASONS[it.why]}`,
      rows: [['Dodano do salda', amount(it)]],
      action: 'Zobacz swoje saldo',
    }),
    out_of_stock_credit: (it) =>
      it.amountCents > 0
        ? {
            title: 'Zamówiony produkt jest wyprzedany',
            body: `Twoja płatność wpłynęła po sprzedaży ostatniej sztuki. Do twojego salda dodaliśmy ${amount(it)}.`,
            rows: [['Dodano do salda', amount(it)]],
          }
        : {
            title: 'Zamówiony produkt jest wyprzedany',
            body: 'Ostatnia sztuka została sprzedana w trakcie przetwarzania twojego zamówienia. Nic nie zostało pobrane.',
          },
    service_active: (it) =>
      it.delivery === 'none'
        ? {
            title: `Usługa ${it.name} jest aktywna`,
            body: 'Twoja płatność wpłynęła i usługa jest aktywna.',
            action: OPEN_SERVICE,
          }
        : it.delivery === 'manual' || it.delivery === 'webhook'
          ? {
              title: `Usługa ${it.name} jest gotowa`,
              body: 'Usługa została dostarczona. Na jej stronie jest wszystko, czego potrzebujesz.',
              action: OPEN_SERVICE,
            }
          : {
              title: `Serwer ${it.name} jest gotowy`,
              body: it.address
                ? `Twój serwer jest gotowy do gry pod adresem ${it.address}.`
                : 'Twój serwer jest gotowy.',
              rows: it.address ? [['Adres', it.address]] : [],
              action: OPEN_SERVER,
            },
    service_failed: (it) =>
      hasServer(it)
        ? {
            title: `Nie udało się jeszcze przygotować serwera ${it.name}`,
            body: 'Twoja płatność jest bezpieczna. Zajmujemy się tym: przygotujemy serwer albo zwrócimy ci pieniądze.',
            action: OPEN_SERVER,
          }
        : {
            title: `Nie udało się jeszcze dostarczyć usługi ${it.name}`,
            body: 'Twoja płatność jest bezpieczna. Zajmujemy się tym: dostarczymy usługę albo zwrócimy ci pieniądze.',
            action: OPEN_SERVICE,
          },
    delivery_begun: (it) => ({
      title: `Przygotowujemy usługę ${it.name}`,
      body: `Twoja płatność wpłynęła. Dostarczymy usługę najpóźniej ${day(it.dueOn)} i damy ci znać, gdy będzie gotowa.`,
      rows: [['Dostawa najpóźniej', day(it.dueOn)]],
      action: OPEN_SERVICE,
    }),
    service_reinstalled: (it) => ({
      title: `Serwer ${it.name} został ponownie zainstalowany`,
      body: 'Ponowna instalacja jest zakończona. Możesz uruchomić serwer.',
      action: OPEN_SERVER,
    }),
    service_reinstall_failed: (it) => ({
      title: `Nie udało się ponownie zainstalować serwera ${it.name}`,
      body: 'Ponowna instalacja nie powiodła się. Sprawdź ustawienia i spróbuj jeszcze raz albo skontaktuj się z nami.',
      action: OPEN_SERVER,
    }),
    server_crashed: (it) => ({
      title: `Awaria serwera ${it.name}`,
      body: 'Przyczynę pokazują ostatnie wiersze konsoli. Wysyłamy najwyżej trzy takie wiadomości dziennie.',
      action: 'Otwórz konsolę',
    }),
    service_suspended: (it) => ({
      title: hasServer(it)
        ? `Serwer ${it.name} jest wstrzymany`
        : `Usługa ${it.name} jest wstrzymana`,
      body: it.unpaid
        ? `Nic nie zostało usunięte. Zapłać należność, a ${nounOf(it)} od razu będzie znów do dyspozycji.`
        : 'Nic nie zostało usunięte. Skontaktuj się z nami, aby dowiedzieć się więcej.',
      action: openOf(it),
    }),
    service_reactivated: (it) => ({
      title: hasServer(it)
        ? `Serwer ${it.name} jest znów dostępny`
        : `Usługa ${it.name} jest znów dostępna`,
      body: !hasServer(it)
        ? 'Usługa nie jest już wstrzymana.'
        : 'Serwer nie jest już wstrzymany. Możesz go znów uruchomić.',
      action: openOf(it),
    }),
    service_ended: (it) => ({
      title: hasServer(it)
        ? `Serwer ${it.name} zakończył działanie`
        : `Usługa ${it.name} się zakończyła`,
      body: it.deleteOn
        ? `Serwer został wyłączony. Jego dane zostaną usunięte ${day(it.deleteOn)}.`
        : !hasServer(it)
          ? 'Usługa się zakończyła. Nie będzie już za nią żadnych opłat.'
          : 'Serwer został wyłączony, a jego dane usunięte.',
      rows: it.deleteOn ? [['Usunięcie danych', day(it.deleteOn)]] : [],
      action: OPEN_SERVICE,
    }),
    service_ending: (it) => ({
      title: `Usługa ${it.name} kończy się ${day(it.endsOn)}`,
      body: 'Nie odnowi się automatycznie. Jeśli chcesz ją zachować, odnów ją przed tym dniem.',
      rows: [['Koniec', day(it.endsOn)]],
      action: 'Odnów',
    }),
    renewal_invoice: (it) => ({
      title: `Odnowienie usługi ${it.name}: ${amount(it)}`,
      body: `Do zapłaty za następny okres usługi ${it.name}: ${amount(it)}. Termin płatności: ${day(it.dueOn)}.`,
      rows: [
        ['Faktura', it.number],
        ['Okres', `${day(it.startsOn)} – ${day(it.endsOn)}`],
        ['Do zapłaty', amount(it)],
        ['Termin płatności', day(it.dueOn)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_reminder: (it) => ({
      title: `Przypomnienie o płatności: ${amount(it)} za ${accusativeOf(it)} ${it.name}`,
      body:
        it.next === 'nothing'
          ? `Do zapłaty pozostaje ${amount(it)} za czas do końca działania ${genitiveOf(it)}. Termin płatności faktury minął ${day(it.dueOn)}.`
          : it.next === 'end'
            ? hasServer(it)
              ? `Termin płatności kwoty ${amount(it)} minął ${day(it.dueOn)}. Serwer jest wstrzymany. Bez płatności zakończy działanie ${day(it.on)}, a kilka dni później zostaną usunięte jego dane.`
              : `Termin płatności kwoty ${amount(it)} minął ${day(it.dueOn)}. Usługa jest wstrzymana. Bez płatności zakończy się ${day(it.on)}.`
            : `Do zapłaty: ${amount(it)}. Termin płatności: ${day(it.dueOn)}. Bez płatności wstrzymamy ${accusativeOf(it)} ${day(it.on)}.`,
      rows: [
        ['Faktura', it.number],
        ['Do zapłaty', amount(it)],
        ['Termin płatności', day(it.dueOn)],
        ...(it.next === 'nothing'
          ? []
          : [[it.next === 'end' ? 'Koniec' : 'Wstrzymanie', day(it.on)] as const]),
      ],
      action: PAY,
    }),
    price_change: (it) => ({
      title: `Zmienia się cena ${genitiveOf(it)} ${it.name}`,
      body: `Pierwszy okres, który rozpocznie się ${day(it.effectiveFrom)} lub później, będzie kosztować ${amount(it)}. Do tego czasu możesz zrezygnować.`,
      rows: [
        ['Nowa cena', amount(it)],
        ['Od', day(it.effectiveFrom)],
      ],
      action: openOf(it),
    }),
    service_upgraded: (it) => ({
      title: `${titleNounOf(it)} ${it.name} ma teraz plan ${it.product}`,
      body: !hasServer(it)
        ? 'Zmiana jest zakończona.'
        : 'Zmiana jest zakończona. Zrestartuj serwer, aby skorzystać z nowych limitów.',
      action: openOf(it),
    }),
    free_days: (it) => ({
      title: `${it.days} ${plural('pl', it.days, 'darmowy dzień', 'darmowych dni', 'darmowe dni')}: ${it.name}`,
      body: `${it.reason} Następny okres zaczyna się ${day(it.until)}. Za darmowe dni nic nie płacisz.`,
      rows: [
        ['Darmowe dni', String(it.days)],
        ['Następny okres', day(it.until)],
      ],
      action: openOf(it),
    }),
    upgrade_failed: (it) => ({
      title: `Nie udało się zmienić ${genitiveOf(it)} ${it.name} na ${it.product}`,
      body: it.isPaidBack
        ? `${titleNounOf(it)} pozostaje bez zmian. Kwotę zapłaconą za zmianę dodaliśmy do twojego salda.`
        : `${titleNounOf(it)} pozostaje bez zmian.`,
      action: openOf(it),
    }),
    upgrade_waiting: (it) => ({
      title: `Serwera ${it.name} nie można jeszcze zmienić na ${it.product}`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} Będziemy próbować do ${day(it.until)}. Potem serwer i jego cena pozostaną bez zmian.`,
      action: OPEN_SERVER,
    }),
    invitation: (it) => ({
      title: `${it.inviter} udostępnia ci serwer ${it.service}`,
      body: 'Otwórz zaproszenie, aby je przyjąć lub odrzucić.',
      action: 'Otwórz zaproszenie',
    }),
    commission_earned: (it) => ({
      title: `Twoja nowa prowizja: ${amount(it)}`,
      body: 'Klient z twojego polecenia zapłacił. Prowizji możesz użyć po okresie oczekiwania.',
      rows: [['Prowizja', amount(it)]],
      action: COMMISSION,
    }),
    commission_available: (it) => ({
      title: `Dostępna prowizja: ${amount(it)}`,
      body: `Okres oczekiwania minął. Prowizję możesz zamienić na saldo, gdy uzbierasz ${formatAmount(2000, it.currency, 'pl')}.`,
      rows: [['Dostępna', amount(it)]],
      action: COMMISSION,
    }),
    commission_reversed: (it) => ({
      title: `Cofnięta prowizja: ${amount(it)}`,
      body: 'Płatność klienta z twojego polecenia została zwrócona, cofnięta przez bank albo nieprzyjęta.',
      rows: [['Cofnięta', amount(it)]],
      action: COMMISSION,
    }),
    commission_restored: (it) => ({
      title: `Przywrócona prowizja: ${amount(it)}`,
      body: 'Płatność, która została cofnięta przez bank, jednak wpłynęła.',
      rows: [['Przywrócona', amount(it)]],
      action: COMMISSION,
    }),
    impersonated: () => ({
      title: 'Osoba z naszego zespołu przegląda twoje konto',
      body: 'Przez najwyżej 30 minut widzi to, co ty. Nie może zobaczyć ani zmienić tego, jak się logujesz i płacisz.',
    }),
    admin_attention: (it) => ({ action: 'Zobacz szczegóły', ...attentionText(attention, it) }),
    password_changed: () => ({
      title: 'Twoje hasło zostało zmienione',
      body: `Wszystkie urządzenia zostały wylogowane, a klucze API unieważnione. ${NOT_YOU}`,
      action: SECURITY,
    }),
    registration_attempted: () => ({
      title: 'Ktoś próbował zarejestrować się na twój adres',
      body: 'Masz już konto, więc nie powstało nowe. Jeśli to ty, zaloguj się albo zresetuj zapomniane hasło. Jeśli nie, nie musisz nic robić.',
      action: 'Przejdź do konta',
    }),
    session_stolen: () => ({
      title: 'Zakończyliśmy jedną z twoich sesji',
      body: `Jeden z jej tokenów został użyty dwa razy, więc ktoś mógł go skopiować. ${NOT_YOU}`,
      action: SECURITY,
    }),
    application_stolen: (it) => ({
      title: `Zakończyliśmy twoje logowanie do aplikacji ${it.application}`,
      body: `Token, który aplikacja ${it.application} ma do twojego konta, został użyty dwa razy, więc ktoś mógł go skopiować. Zaloguj się tam ponownie. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_added: (it) => ({
      title: FACTORS[it.factor].added,
      body: `Od teraz logowanie wymaga drugiego składnika. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_removed: (it) => ({
      title: FACTORS[it.factor].removed,
      body: `Nie można już tak się logować. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_codes_made: () => ({
      title: 'Masz nowe kody odzyskiwania',
      body: `Stare kody już nie działają. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_code_used: (it) => ({
      title: 'Użyto kodu odzyskiwania',
      body: `Pozostało kodów: ${it.left}. ${NOT_YOU}`,
      action: SECURITY,
    }),
    passkey_copied: (it) => ({
      title: `Klucz dostępu ${it.name} został odrzucony`,
      body: 'Jego licznik się cofnął, więc może istnieć kopia. Usuń ten klucz, chyba że znasz przyczynę.',
      action: SECURITY,
    }),
    account_connected: (it) => ({
      title: `Konto ${providerName(it.provider)} ${it.name} zostało połączone`,
      body: `Jest teraz połączone z twoim kontem. ${NOT_YOU}`,
      action: SECURITY,
    }),
    account_disconnected: (it) => ({
      title: `Konto ${providerName(it.provider)} ${it.name} zostało odłączone`,
      body: `Nie jest już połączone z twoim kontem. ${NOT_YOU}`,
      action: SECURITY,
    }),
    vat_number_invalid: (it) => ({
      title: `Nie udało się potwierdzić twojego numeru VAT ${it.vatNumber}`,
      body: 'Nie ma go w rejestrze UE (VIES). Kolejne faktury będą zawierać VAT, dopóki w profilu nie będzie prawidłowego numeru. Dotychczasowe faktury się nie zmienią.',
      action: 'Sprawdź dane do faktury',
    }),
    ticket_opened: (it) => ({
      title: `Napisaliśmy do ciebie: zgłoszenie ${it.number}`,
      body: `W zgłoszeniu ${it.number} czeka na ciebie wiadomość.`,
      action: VIEW_TICKET,
    }),
    ticket_answered: (it) => ({
      title: `Odpowiedź na zgłoszenie ${it.number}`,
      body: `W zgłoszeniu ${it.number} jest nowa wiadomość.${attachedText('pl', it.files)}`,
      action: VIEW_TICKET,
    }),
    ticket_closed: (it) => ({
      title: `Zgłoszenie ${it.number} jest zamknięte`,
      body: `Zamknęliśmy zgłoszenie ${it.number}. Jeśli coś jeszcze trzeba załatwić, napisz w nim, a zostanie otwarte ponownie.`,
      action: VIEW_TICKET,
    }),
    ticket_closing: (it) => ({
      title: `Zgłoszenie ${it.number} zostanie zamknięte ${day(it.closesOn)}`,
      body: `W zgłoszeniu ${it.number} jest odpowiedź i od tego czasu nikt nic nie napisał. Jeśli coś jeszcze trzeba załatwić, napisz w nim, a pozostanie otwarte.`,
      action: VIEW_TICKET,
    }),
    ticket_new: (it) => ({
      title: `Nowe zgłoszenie ${it.number}`,
      body: `Klient utworzył zgłoszenie ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_assigned: (it) => ({
      title: `Przydzielono ci zgłoszenie ${it.number}`,
      body: `Zgłoszenie ${it.number} zostało ci przydzielone.`,
      action: VIEW_TICKET,
    }),
    ticket_customer_replied: (it) => ({
      title: `Klient napisał w zgłoszeniu ${it.number}`,
      body: `W zgłoszeniu ${it.number} jest nowa wiadomość klienta.${attachedText('pl', it.files)}`,
      action: VIEW_TICKET,
    }),
    mail_undeliverable: (it) => ({
      title: 'Nasze e-maile do ciebie nie docierają',
      body: `Serwer poczty adresu ${it.address} zgłasza, że ten adres nie istnieje. Nic tam nie wyślemy, dopóki nie potwierdzisz adresu ponownie albo nie wybierzesz innego.`,
    }),
    incident_opened: (it) => ({
      title: `Awaria: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_updated: (it) => ({
      title: `Awaria, nowe informacje: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_resolved: (it) => ({
      title: `Usunięto awarię: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    maintenance_planned: (it) => ({
      title: `Planowane prace: ${it.title}`,
      body: `${it.text}\n\n${times(it)}`,
      action: VIEW_STATUS,
    }),
    maintenance_changed: (it) => ({
      title: `${maintenance(it.step)}${it.title}`,
      body: it.step === 'changed' ? `${it.text}\n\n${times(it)}` : it.text,
      action: VIEW_STATUS,
    }),
    announcement: ({ title, body }) => ({ title, body, action: 'Czytaj dalej' }),
  },
  mails: {
    verify_email: () => ({
      title: 'Potwierdź swój adres e-mail',
      body: 'Potwierdź, że to twój adres e-mail.',
      action: 'Potwierdź adres',
      after: NOT_ASKED,
    }),
    reset_password: () => ({
      title: 'Zresetuj swoje hasło',
      body: 'Otrzymaliśmy prośbę o zresetowanie twojego hasła. Użyj przycisku, aby ustawić nowe.',
      action: 'Ustaw nowe hasło',
      after: NOT_ASKED,
    }),
    account_created: () => ({
      title: 'Twoje konto jest gotowe',
      body: 'Utworzyliśmy dla ciebie konto z tym adresem e-mail. Użyj przycisku, aby ustawić hasło. Link jest ważny przez 7 dni.',
      action: 'Ustaw hasło',
      after: 'Jeśli nie oczekujesz konta u nas, zignoruj tę wiadomość.',
    }),
    service_invitation: ({ inviter, service }) => ({
      title: `${inviter} udostępnia ci serwer`,
      body: `${inviter} zaprasza cię do korzystania z serwera ${service}.`,
      action: 'Otwórz zaproszenie',
      after: 'Jeśli nie znasz tej osoby, zignoruj tę wiadomość.',
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'Nowy adres e-mail dla twojego konta',
      body: `Otrzymaliśmy prośbę o zamianę tego adresu na ${newEmail}. Ten adres pozostaje ważny, dopóki nowy nie zostanie potwierdzony. ${NOT_YOU}`,
    }),
    mail_test: () => ({
      title: 'Wiadomość testowa',
      body: 'Twój serwer poczty przyjął tę wiadomość. Wiadomości do twoich klientów są wysyłane tak samo.',
    }),
    staff_message: ({ subject, text }) => ({ title: subject, body: text }),
    more_attention: ({ times }) => ({
      title: 'Więcej spraw wymaga twojej uwagi',
      body: `W ciągu godziny pojawiło się ponad ${times} spraw, więc pozostałych nie wysyłamy e-mailem. Wszystkie znajdziesz w swoich powiadomieniach.`,
      action: 'Zobacz powiadomienia',
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Twój adres e-mail został zmieniony',
      body: `Twoje konto używa teraz adresu ${newEmail} zamiast tego. ${NOT_YOU}`,
    }),
  },
}
