import type { SignInTexts } from '../sign-in.ts'

/** The sign-in pages in Polish. */
export const signIn: SignInTexts = {
  signIn: 'Zaloguj się',
  toContinue: (application) => `aby przejść do aplikacji ${application}`,
  email: 'Adres e-mail',
  password: 'Hasło',
  cancel: 'Anuluj',
  wrong: 'Adres e-mail lub hasło jest nieprawidłowe.',
  unconfirmed:
    'Adres e-mail lub hasło jest nieprawidłowe albo adres nie został jeszcze potwierdzony.',
  suspended: 'To konto jest zawieszone.',
  secondFactor:
    'To konto wymaga klucza dostępu. Przeglądarki pytają o niego tylko przez skrypt: zezwól na skrypty na tej stronie albo użyj innej przeglądarki.',
  usePasskey: 'Użyj klucza dostępu',
  passkeyFailed: 'Nie użyto klucza dostępu. Spróbuj ponownie albo zaloguj się inaczej.',
  wrongPasskey: 'Ten klucz dostępu nie został przyjęty.',
  codeTitle: 'Jeszcze jeden krok',
  codeBody: 'Wpisz kod z aplikacji uwierzytelniającej albo jeden z kodów odzyskiwania.',
  code: 'Kod',
  wrongCode:
    'Ten kod jest nieprawidłowy albo został już użyty. Po pięciu błędnych zacznij od nowa.',
  startAgain: 'Zacznij od nowa',
  confirmTitle: 'Potwierdź swój adres e-mail',
  confirmBody: (application, email) =>
    `Aplikacja ${application} przyjmuje tylko potwierdzone adresy e-mail, a ${email} nie jest jeszcze potwierdzony.`,
  sendLink: 'Wyślij mi link potwierdzający',
  linkSent:
    'Wysłaliśmy link na twoją skrzynkę. Otwórz go, a potem wróć na tę stronę, aby kontynuować.',
  linkAsked:
    'Jeśli adres nie został jeszcze potwierdzony, link jest w drodze. Otwórz go, a potem zaloguj się tutaj.',
  isConfirmed: 'Adres jest potwierdzony: dalej',
  consent: (application) => `Aplikacja ${application} chce wiedzieć, kim jesteś`,
  signedInAs: (email) => `Twoje konto: ${email}. Jeśli się zgodzisz, aplikacja będzie mogła:`,
  scopes: {
    openid: 'rozpoznać cię, gdy wrócisz',
    profile: 'widzieć twoje imię i nazwisko oraz język',
    email: 'widzieć twój adres e-mail',
    offline_access: 'zachować ten dostęp pod twoją nieobecność, dopóki go nie odbierzesz',
    services: 'widzieć nazwy usług, które masz tutaj',
  },
  allow: 'Zezwól',
  deny: 'Nie zezwalaj',
  signOut: 'Wyloguj się',
  askSignOut: (shop) => `Czy chcesz wylogować się ze sklepu ${shop}?`,
  stay: 'Nie wylogowuj',
  signedOut: 'Wylogowano',
  signedOutBody: 'Możesz zamknąć tę stronę.',
  otherAccount: 'W przeglądarce było zalogowane inne konto',
  otherAccountBody: 'Jeśli przejdziesz dalej, nowe konto zajmie jego miejsce w tej przeglądarce.',
  proceed: 'Dalej',
  failed: 'Nie udało się',
  failedBody: 'Wróć do poprzedniej aplikacji i spróbuj ponownie.',
  expired: 'To logowanie wygasło albo zostało zakończone gdzie indziej.',
  tooMany: 'Zbyt wiele prób. Odczekaj minutę i spróbuj ponownie.',
  foreign: 'Ten formularz wysłano z innej strony niż nasza.',
  reason: 'Informacja dla aplikacji:',
}
