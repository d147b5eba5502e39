import type { PageTexts } from '../language.ts'

/** The footer of mails, and the page that stops them, in Portuguese. */
export const pages: PageTexts = {
  why: {
    account: (shop) => `Recebe este e-mail porque tem uma conta em ${shop}.`,
    staff: (shop) => `Recebe este e-mail porque trabalha para ${shop}.`,
    address: (shop) => `Recebe este e-mail porque este endereço foi introduzido em ${shop}.`,
    invitation: (shop) =>
      `Recebe este e-mail porque um cliente de ${shop} introduziu o seu endereço.`,
  },
  orOpen: 'Se o botão não funcionar, copie este endereço para o navegador:',
  stopMails: 'Deixar de receber e-mails deste tipo',
  stopTitle: 'Deixar de receber estes e-mails',
  stopBody: 'Deixará de receber e-mails deste tipo. Pode alterar esta opção na sua conta.',
  stop: 'Deixar de receber',
  stopped: 'Está feito. Não lhe enviaremos mais e-mails deste tipo.',
}
