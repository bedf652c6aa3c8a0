/*
 * GOST R 34.11-2012 (RFC 6986) by AVX-512: the permutation pi as two look-ups among 128 octets, the linear map as products of
 * octets by 8x8 matrices of bits (GFNI). An optional addition to the WebAssembly of the verifier, which finishes its digests.
 */
#include <immintrin.h>
#include <node_api.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni")))
#define ROUNDS 12

/**
 * What JavaScript gives: pi, the matrices of the linear map, from where each of them takes its octets, the transposition, and
 * the constants of rounds. Inside a compression all values are transposed, or each round would wait for one more permutation.
 */
typedef struct {
  __m512i substitution[4], matrices[8], sources[8], transposition, constants[ROUNDS];
} tables;

/** The hash value, the number of bits hashed, and the sum of all blocks. */
typedef struct {
  uint64_t hash[8], bits[8], sum[8];
} state;

#define SUM(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)

/** L(P(S(x))) + addend: each word is the sum of eight words of the operand, multiplied by a matrix of its own. */
TARGET static inline __m512i lps(const tables *t, __m512i x, __m512i addend) {
  __m512i low = _mm512_permutex2var_epi8(t->substitution[0], x, t->substitution[1]);
  __m512i high = _mm512_permutex2var_epi8(t->substitution[2], x, t->substitution[3]);
  __m512i s = _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), low, high);
#define PRODUCT(n) _mm512_gf2p8affine_epi64_epi8(_mm512_permutexvar_epi8(t->sources[n], s), t->matrices[n], 0)
  __m512i first = SUM(PRODUCT(0), PRODUCT(1), PRODUCT(2));
  __m512i second = SUM(PRODUCT(3), PRODUCT(4), PRODUCT(5));
  return SUM(first, second, SUM(PRODUCT(6), PRODUCT(7), addend));
}

static inline void add(uint64_t *to, const uint64_t *what) {
  unsigned char carry = 0;
  for (int word = 0; word < 8; word++) carry = _addcarry_u64(carry, to[word], what[word], (unsigned long long *)&to[word]);
}

TARGET static void absorb(const tables *given, state *s, const uint8_t *blocks, size_t count) {
  const tables t = *given;
  const uint64_t block_bits[8] = {512};
#define TRANSPOSED(address) _mm512_permutexvar_epi8(t.transposition, _mm512_loadu_si512(address))
  __m512i hash = TRANSPOSED(s->hash);
  for (; count > 0; count--, blocks += 64) {
    __m512i block = TRANSPOSED(blocks);
    __m512i key = lps(&t, _mm512_xor_si512(hash, TRANSPOSED(s->bits)), _mm512_setzero_si512());
    __m512i inner = _mm512_xor_si512(block, key);
    for (int round = 0; round < ROUNDS; round++) {
      key = lps(&t, _mm512_xor_si512(key, t.constants[round]), _mm512_setzero_si512());
      inner = lps(&t, inner, key);
    }
    hash = SUM(hash, block, inner);
    uint64_t words[8];
    __builtin_memcpy(words, blocks, sizeof words);
    add(s->bits, block_bits);
    add(s->sum, words);
  }
  _mm512_storeu_si512(s->hash, _mm512_permutexvar_epi8(t.transposition, hash));
}

/** `absorb(tables, state, blocks)`: takes whole blocks of 64 octets into a state. */
static napi_value absorb_call(napi_env env, napi_callback_info info) {
  size_t count = 3, lengths[3] = {0};
  napi_value arguments[3], none;
  void *data[3] = {0};
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  for (size_t at = 0; at < 3; at++) {
    napi_typedarray_type type;
    napi_status status = napi_get_typedarray_info(env, arguments[at], &type, &lengths[at], &data[at], NULL, NULL);
    if (count < 3 || status != napi_ok || type != napi_uint8_array) {
      napi_throw_type_error(env, NULL, "absorb takes three arrays of octets");
      return NULL;
    }
  }
  if (lengths[0] != sizeof(tables) || lengths[1] != sizeof(state) || lengths[2] % 64 != 0) {
    napi_throw_range_error(env, NULL, "absorb takes tables, a state and whole blocks");
    return NULL;
  }
  tables t;
  state s;
  __builtin_memcpy(&t, data[0], sizeof t);
  __builtin_memcpy(&s, data[1], sizeof s);
  absorb(&t, &s, data[2], lengths[2] / 64);
  __builtin_memcpy(data[1], &s, sizeof s);
  napi_get_undefined(env, &none);
  return none;
}

NAPI_MODULE_INIT() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("gfni")) return exports;
  napi_value function;
  napi_create_function(env, "absorb", NAPI_AUTO_LENGTH, absorb_call, NULL, &function);
  napi_set_named_property(env, exports, "absorb", function);
  return exports;
}
