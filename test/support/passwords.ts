import { Passwords } from "../../src/accounts/passwords.ts";

/** Hashes in a fifth of a millisecond, for tests that sign in. The real cost of hashing has its own tests. */
export function cheapPasswords(): Passwords {
  return new Passwords({
    memoryCost: 8,
    timeCost: 1,
    dummyHash:
      "$argon2id$v=19$m=8,t=1,p=1$eO2TOtmOHtSPdgvex5vHhL6nRXsSKUrTkCyHJBDuJpM$kDPH8xju/MQEYLrdUnJnXT5EUJWT0AyVGXez3vJQQCk",
  });
}
