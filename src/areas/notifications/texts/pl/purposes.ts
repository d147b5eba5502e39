import type { Purpose } from '#platform/area.ts'
import type { purposes as first } from '../en/purposes.ts'

/** Why each area keeps what it keeps about people, in Polish. */
export const purposes: Readonly<Record<keyof typeof first, Purpose>> = {
  'users.profile': {
    data: 'profil, numer telefonu, strefa czasowa, adres do faktury, numer VAT i odpowiedź rejestru UE na jego temat',
    purpose: 'Prowadzenie konta i wystawianie faktur',
    legalBasis: 'Umowa, art. 6 ust. 1 lit. b RODO',
    retention: 'Do usunięcia konta',
    recipients: [
      'operatorzy płatności tego sklepu',
      'panele gier, w których są twoje serwery',
      'rejestr numerów VAT UE (tylko sam numer)',
    ],
  },
  'users.marketing': {
    data: 'data wyrażenia zgody na nowości i oferty',
    purpose: 'Wysyłanie nowości i ofert tylko wtedy, gdy tego chcesz',
    legalBasis: 'Zgoda, art. 6 ust. 1 lit. a RODO',
    retention: 'Do wycofania zgody albo usunięcia konta',
    recipients: [],
  },
  'users.sessions': {
    data: 'sesje i klucze API',
    purpose: 'Potwierdzenie, że to ty, i pokazanie ci urządzeń zalogowanych na twoje konto',
    legalBasis: 'Prawnie uzasadniony interes: bezpieczeństwo kont, art. 6 ust. 1 lit. f RODO',
    retention: 'Sesje 30 dni po ich zakończeniu, klucze do usunięcia konta',
    recipients: [],
  },
  'users.notes': {
    data: 'notatki naszego zespołu na twój temat, także z poprzedniego systemu, oraz powody, dla których zespół przeglądał twoje konto',
    purpose: 'Pomoc bez pytania dwa razy o to samo i uzasadnienie każdego wglądu w twoje konto',
    legalBasis:
      'Prawnie uzasadniony interes: dobra i rozliczalna obsługa, art. 6 ust. 1 lit. f RODO',
    retention:
      'Notatki do usunięcia ich przez zespół albo usunięcia konta, powody tak długo jak sesje',
    recipients: [],
  },
  'rbac.roles': {
    data: 'role i grupy',
    purpose: 'Umożliwienie pracy zespołowi i tylko jemu',
    legalBasis: 'Prawnie uzasadniony interes: bezpieczna administracja, art. 6 ust. 1 lit. f RODO',
    retention: 'Do odebrania roli albo usunięcia konta',
    recipients: [],
  },
  'audit.log': {
    data: 'dziennik twoich zmian i tego, co przeglądał zespół',
    purpose: 'Ustalenie, kto co zrobił, gdy coś pójdzie nie tak',
    legalBasis: 'Prawnie uzasadniony interes: bezpieczeństwo, art. 6 ust. 1 lit. f RODO',
    retention:
      'Tak długo, jak ten sklep przechowuje dziennik, domyślnie 60 miesięcy; adresy IP 12 miesięcy',
    recipients: [],
  },
  'notifications.messages': {
    data: 'powiadomienia oraz tematy e-maili',
    purpose: 'Informowanie cię o tym, co trzeba wiedzieć o koncie i usługach',
    legalBasis: 'Umowa, art. 6 ust. 1 lit. b RODO',
    retention: 'Do usunięcia konta',
    recipients: ['serwer poczty tego sklepu'],
  },
  'store.cart': {
    data: 'koszyk',
    purpose: 'Sprzedanie ci tego, co do niego dodasz',
    legalBasis: 'Działania przed zawarciem umowy, art. 6 ust. 1 lit. b RODO',
    retention: 'Do zakupu, opróżnienia koszyka albo usunięcia konta',
    recipients: [],
  },
  'store.offers': {
    data: 'wykorzystane kody promocyjne i okresy próbne',
    purpose: 'Dawanie tylko raz tego, co każdy dostaje raz',
    legalBasis: 'Prawnie uzasadniony interes, art. 6 ust. 1 lit. f RODO',
    retention: 'Na stałe; po usunięciu konta bez twojego imienia i nazwiska',
    recipients: [],
  },
  'store.trials': {
    data: 'skróty kryptograficzne (z kluczem) adresu, metod płatności i kont w panelu użytych do wypróbowania produktu',
    purpose: 'Przyznanie każdej osobie jednego okresu próbnego produktu, także po usunięciu konta',
    legalBasis: 'Prawnie uzasadniony interes: zapobieganie nadużyciom, art. 6 ust. 1 lit. f RODO',
    retention: 'Tak długo, jak ustawił ten sklep, domyślnie 24 miesiące od okresu próbnego',
    recipients: [],
  },
  'ledger.credit': {
    data: 'twoje saldo oraz jego wpływy i wydatki',
    purpose: 'Prowadzenie ksiąg',
    legalBasis: 'Umowa i obowiązek prawny, art. 6 ust. 1 lit. b i c RODO',
    retention:
      'Tak długo, jak przechowywane są księgi; po usunięciu konta bez twojego imienia i nazwiska',
    recipients: ['organy podatkowe i audytorzy'],
  },
  'billing.documents': {
    data: 'faktury i faktury korygujące z twoim imieniem i nazwiskiem, adresem i numerem VAT, płatności, zwroty',
    purpose: 'Wystawianie faktur, otrzymywanie zapłaty i wykazanie tego przed urzędem skarbowym',
    legalBasis: 'Umowa i obowiązek prawny, art. 6 ust. 1 lit. b i c RODO',
    retention: 'Do 31 grudnia dziesiątego roku po roku wystawienia dokumentu',
    recipients: ['operatorzy płatności tego sklepu', 'organy podatkowe i audytorzy'],
  },
  'billing.transfers': {
    data: 'przelewy: nazwa i rachunek płatnika oraz treść przelewu',
    purpose: 'Ustalenie, za co są otrzymane pieniądze',
    legalBasis: 'Umowa, art. 6 ust. 1 lit. b RODO',
    retention: 'Do usunięcia konta; przelewy, których nikt nie mógł przypisać, 400 dni',
    recipients: [],
  },
  'billing.methods': {
    data: 'zapisane metody płatności: rodzaj i ostatnie cyfry',
    purpose: 'Płacenie bez ponownego wpisywania danych oraz odnowienia',
    legalBasis: 'Umowa, art. 6 ust. 1 lit. b RODO',
    retention: 'Do usunięcia ich przez ciebie albo usunięcia konta',
    recipients: ['operator płatności, który przechowuje daną metodę'],
  },
  'services.services': {
    data: 'usługi, własne i udostępnione, z wybranymi wartościami; twoje konta w panelach gier',
    purpose: 'Świadczenie zamówionych usług',
    legalBasis: 'Umowa, art. 6 ust. 1 lit. b RODO',
    retention:
      'Do usunięcia konta; to, do czego odwołują się księgi, pozostaje bez wpisanych przez ciebie słów',
    recipients: [
      'panele gier, w których są twoje serwery',
      'systemy tego sklepu, które dostarczają twoje usługi',
    ],
  },
  'services.activity': {
    data: 'działania na twoich serwerach oraz twoje działania na serwerach udostępnionych ci, z adresem, z którego je wykonano',
    purpose: 'Pokazanie ci, kto co zrobił, i wykrywanie nadużyć',
    legalBasis: 'Prawnie uzasadniony interes, art. 6 ust. 1 lit. f RODO',
    retention: 'Trzydzieści dni albo do usunięcia konta',
    recipients: ['panele gier, w których są twoje serwery'],
  },
  'orders.orders': {
    data: 'zamówienia, to, czy usługa miała się rozpocząć od razu, oraz uwaga dla sklepu',
    purpose: 'Realizacja zamówień i możliwość jej wykazania',
    legalBasis: 'Umowa i obowiązek prawny, art. 6 ust. 1 lit. b i c RODO',
    retention:
      'Razem z fakturą, do której należą; po usunięciu konta bez twojego imienia i nazwiska',
    recipients: [],
  },
  'vouchers.redemptions': {
    data: 'zrealizowane bony oraz czas wpisania błędnych kodów',
    purpose: 'Aby przyznać środki z bonów i zapobiec odgadywaniu kodów',
    legalBasis: 'Umowa i prawnie uzasadniony interes, art. 6 ust. 1 lit. b i f',
    retention:
      'Zrealizowane bony tak długo jak księgi, po usunięciu bez imienia i nazwiska; błędne kody przez jeden dzień',
    recipients: [],
  },
  'affiliation.commissions': {
    data: 'twój kod, osoby z twojego polecenia, twoje zarobki; informacja, czy ktoś polecił sklep tobie',
    purpose:
      'Przekazywanie udziału osobom, które polecają sklep, i wykrywanie, kto płaci sam sobie',
    legalBasis: 'Umowa i prawnie uzasadniony interes, art. 6 ust. 1 lit. b i f RODO',
    retention:
      'Tak długo, jak przechowywane są księgi; po usunięciu konta bez twojego imienia i nazwiska',
    recipients: [],
  },
  'knowledge.feedback': {
    data: 'czy artykuły pomocy ci pomogły',
    purpose: 'Ulepszanie artykułów pomocy',
    legalBasis: 'Prawnie uzasadniony interes w zrozumiałej pomocy, art. 6 ust. 1 lit. f RODO',
    retention: 'Do usunięcia konta; potem bez twojego imienia i nazwiska',
    recipients: [],
  },
  'incidents.notices': {
    data: 'awarie, które dotyczyły twoich usług, i kiedy cię o nich powiadomiliśmy',
    purpose: 'Powiadomienie cię jeden raz o każdej awarii, która cię dotyczy',
    legalBasis: 'Umowa, art. 6 ust. 1 lit. b RODO',
    retention: 'Do usunięcia konta',
    recipients: [],
  },
  'support.tickets': {
    data: 'twoje zgłoszenia, ich wiadomości i pliki wraz z usługą lub fakturą, których dotyczą',
    purpose: 'Odpowiadanie na twoje pytania i rozwiązywanie problemów z twoimi usługami',
    legalBasis: 'Umowa, art. 6 ust. 1 lit. b RODO',
    retention: 'Do usunięcia konta; same daty pozostają bez treści',
    recipients: [],
  },
  'support.saved-replies': {
    data: 'odpowiedzi zapisane przez ciebie na potrzeby kontaktu z klientami',
    purpose: 'Ponowne użycie tych tekstów',
    legalBasis: 'Prawnie uzasadniony interes: sprawna praca, art. 6 ust. 1 lit. f RODO',
    retention: 'Do usunięcia konta; odpowiedzi udostępnione pozostają bez twojego nazwiska',
    recipients: [],
  },
  'oidc.applications': {
    data: 'aplikacje, do których logujesz się tym kontem',
    purpose: 'Informowanie tych aplikacji, kim jesteś, zgodnie z twoim zezwoleniem',
    legalBasis: 'Zgoda, art. 6 ust. 1 lit. a RODO',
    retention: 'Do wygaśnięcia albo wycofania zgody',
    recipients: ['aplikacje, którym na to zezwalasz'],
  },
  'webhooks.messages': {
    data: 'zdarzenia dotyczące twojego konta, zamówień, faktur i usług, z twoim identyfikatorem, bez imienia i nazwiska',
    purpose: 'Aktualizowanie innych systemów tego sklepu',
    legalBasis: 'Prawnie uzasadniony interes, art. 6 ust. 1 lit. f RODO',
    retention: 'Trzydzieści dni albo tak długo, jak ustawił ten sklep',
    recipients: ['systemy podłączone przez ten sklep'],
  },
  'bot.roles': {
    data: 'role, które twoje połączone konto Discord ma za to, co masz tutaj',
    purpose: 'Nadawanie ci tych ról na serwerach tego sklepu i odbieranie ich',
    legalBasis: 'Umowa, art. 6 ust. 1 lit. b RODO',
    retention:
      'Do usunięcia połączenia albo konta; role, które boty mają jeszcze odebrać, trzydzieści dni dłużej',
    recipients: ['Discord'],
  },
  'desk.views': {
    data: 'zapisane przez ciebie widoki list w panelu administracyjnym',
    purpose: 'Pokazywanie ci tych list ponownie tak, jak je pozostawiono',
    legalBasis: 'Prawnie uzasadniony interes: sprawna praca, art. 6 ust. 1 lit. f RODO',
    retention: 'Do usunięcia widoku albo konta',
    recipients: [],
  },
  'desk.presence': {
    data: 'strony panelu administracyjnego otwarte teraz przez ciebie oraz informacja, czy piszesz tam odpowiedź',
    purpose: 'Pokazywanie innym pracownikom, kto zajmuje się tą samą sprawą',
    legalBasis: 'Prawnie uzasadniony interes: sprawna praca, art. 6 ust. 1 lit. f RODO',
    retention: 'Minuta po opuszczeniu strony; usuwane kilka minut później',
    recipients: [],
  },
}
