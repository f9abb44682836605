import type { Language } from "./language.ts";

/** Korean. */
export const ko: Language = {
  tag: "ko",
  direction: "ltr",
  labels: {
    accountHolder: "예금주",
    accountIban: "IBAN",
    brand: "카드 종류",
    cardHolder: "카드 소유자",
    cardNumber: "카드 번호",
    continueTo: "{brand}(으)로 계속",
    cvv: "보안 코드(CVV)",
    cvvHint: "카드 뒷면의 숫자 세 자리입니다. 아메리칸 익스프레스 카드는 앞면의 숫자 네 자리입니다.",
    expiryDate: "유효 기간",
    expiryPlaceholder: "월 / 년",
    processing: "잠시 기다려 주세요…",
    savedAccounts: "저장된 결제 정보",
    showOtherPaymentMethods: "다른 결제 수단",
    store: "저장",
    storeDetails: "다음 구매를 위해 이 정보 저장",
    submit: "지금 결제",
  },
  errors: {
    accountHolderError: "예금주 이름을 입력해 주세요.",
    accountIbanError: "유효하지 않은 IBAN입니다.",
    cardHolderError: "카드에 적힌 대로 이름을 입력해 주세요.",
    cardNumberError: "유효하지 않은 카드 번호입니다.",
    cvvError: "유효하지 않은 보안 코드입니다.",
    expiryMonthError: "유효하지 않은 유효 기간입니다.",
    generalError: "양식을 전송하지 못했습니다. 다시 시도해 주세요.",
  },
};
