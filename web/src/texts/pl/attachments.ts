export const attachments = {
  attach: 'Załącz pliki',
  hint: (count: number, size: string) =>
    `Najwyżej ${count} plików, każdy do ${size}. Możesz też upuścić tu pliki lub wkleić zrzut ekranu.`,
  list: 'Pliki tej wiadomości',
  shown: 'Załączone pliki',
  sending: 'Przesyłanie',
  stored: 'Przesłano',
  tooLarge: (size: string) => `Większy niż ${size}`,
  retry: (name: string) => `Prześlij ponownie ${name}`,
  remove: (name: string) => `Usuń ${name}`,
  tooMany: (count: number) => `Wiadomość może mieć najwyżej ${count} plików.`,
  tooHeavy: (size: string) => `Pliki wiadomości mogą mieć łącznie najwyżej ${size}.`,
  blocked: 'Nie można pobrać: pliki tego rodzaju mogą uruchamiać programy.',
  willBlock: 'Odbiorca nie może pobrać plików tego rodzaju. Umieść plik w archiwum.',
  open: 'Otwórz',
  download: 'Pobierz',
  progress: (done: number, all: number) => `Przesłano ${done} z ${all} plików`,
}
