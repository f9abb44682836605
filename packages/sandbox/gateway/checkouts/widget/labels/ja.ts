import type { Language } from "./language.ts";

/** Japanese. */
export const ja: Language = {
  tag: "ja",
  direction: "ltr",
  labels: {
    accountHolder: "口座名義人",
    accountIban: "IBAN",
    brand: "カードの種類",
    cardHolder: "カード名義人",
    cardNumber: "カード番号",
    continueTo: "{brand}に進む",
    cvv: "セキュリティコード（CVV）",
    cvvHint: "カード裏面の3桁の数字です。American Expressカードの場合は、表面の4桁の数字です。",
    expiryDate: "有効期限",
    expiryPlaceholder: "月 / 年",
    processing: "お待ちください…",
    savedAccounts: "保存済みのお支払い情報",
    showOtherPaymentMethods: "その他のお支払い方法",
    store: "保存する",
    storeDetails: "次回の購入のためにこの情報を保存する",
    submit: "支払う",
  },
  errors: {
    accountHolderError: "口座名義人のお名前を入力してください。",
    accountIbanError: "このIBANは無効です。",
    cardHolderError: "カードに記載されているとおりにお名前を入力してください。",
    cardNumberError: "このカード番号は無効です。",
    cvvError: "このセキュリティコードは無効です。",
    expiryMonthError: "この有効期限は無効です。",
    generalError: "フォームを送信できませんでした。もう一度お試しください。",
  },
};
