"""Which part of a server a sample of its call stack belongs to, for ours and for one that OpenSSL's libraries serve.

A stack is a list of (symbol, object), the innermost first. Debian's OpenSSL has only the names that it exports; a frame
without one is known by its object, and by the exported functions around it.
"""
import re

START_UP = "start-up"
MEMORY, X25519, SIGN, CHECK, ECDH = "memory", "X25519", "sign", "check of the signature", "ECDH P-256"
RANDOM, HKDF, HASHES, AEAD = "random octets", "HKDF and HMAC", "hashes", "AEAD"
RECORDS, ENGINE, SYSTEM, LOOP, HTTP = "records", "engine", "system calls and kernel", "loop", "parser and HTTP"
OTHER = "other"
ORDER = (MEMORY, X25519, SIGN, CHECK, ECDH, HKDF, HASHES, RANDOM, AEAD, RECORDS, ENGINE, SYSTEM, LOOP, HTTP, OTHER)

# A stack that passes through one of these belongs there, whatever lies within: the first that matches. Memory stands
# first, so that what copies and allocations cost shows whoever asked for them.
PASSES_THROUGH = tuple((name, re.compile(f"^(?:{pattern})")) for name, pattern in (
    (START_UP, r"_dl_|dl_main|__libc_setup|load_elf_binary|begin_new_exec|SSL_CTX_(new|use|set)|OPENSSL_init_ssl"
               r"|signet::server::(Server::(start\[|set_identity)|load_identity)|exit$|__run_exit_handlers"),
    (MEMORY, r"(__libc_|__GI_)?(__)?(malloc|free|cfree|calloc|realloc)(_|@|$)|_int_(malloc|free|realloc)|unlink_chunk"
             r"|sysmalloc|systrim|tcache_|__mem(cpy|move|set|cmp)_|mem(cpy|move|set|cmp)|brk|sbrk|mmap|munmap|madvise"
             r"|operator (new|delete)|CRYPTO_(malloc|zalloc|realloc|free|clear_free|strdup|memdup)|OPENSSL_cleanse"
             r"|signet::base::(wipe|Region|ChunkCache|Slab|Pool)"),
    (X25519, r"signet::crypto::(x25519|c25519)|EVP_PKEY_(generate|keygen|derive)(_|$)"),
    (SIGN, r"signet::crypto::(p256_sign|p256::mul_base)|EVP_DigestSign|EVP_PKEY_sign|ECDSA_sign"),
    (CHECK, r"signet::crypto::(P256VerifyTable|p256_verify|p256::mul_add)|EVP_DigestVerify|EVP_PKEY_verify"),
    (ECDH, r"signet::crypto::(p256_ecdh|P256PrivateKey|P256PublicKey|p256::mul_point)"),
    (RANDOM, r"signet::crypto::random_bytes|RAND_|EVP_RAND_"),
    (HKDF, r"signet::crypto::(hkdf_|hmac|Hmac)|signet::tls::(LabelKey|EarlySecret|HandshakeSecret|MasterSecret)"
           r"|EVP_KDF_|EVP_MAC_|EVP_Q_mac|HMAC"),
    (HASHES, r"signet::crypto::(Hash|hash|Sha256|Sha512|sha256|sha512)|signet::tls::Transcript"
             r"|EVP_Digest|EVP_MD_|SHA\d"),
    (AEAD, r"signet::crypto::(AeadKey|aes_|chacha)|EVP_(Cipher|Encrypt|Decrypt|CIPHER)|CRYPTO_(gcm|ctr)128"),
))

# The calls' own frames in libc: on some machines much of a call's cost is seen there.
CALLS = re.compile(r"^(__)?(GI_|libc_)*_*(send|sendmsg|sendto|recv|recvmsg|recvfrom|read|write|writev|close|accept4?"
                   r"|epoll_(wait|pwait2?|ctl)|setsockopt|getsockopt|shutdown|getpid|getrandom)(@|$)")

# What OpenSSL's libraries do besides is the engine, but within SSL_read and SSL_write the records.
OPENSSL = ("libssl.so.3", "libcrypto.so.3")

# Else the innermost frame that one of these knows decides.
INNERMOST = tuple((name, re.compile(f"^(?:{pattern})")) for name, pattern in (
    (RECORDS, r"signet::tls::(seal_record|open_record|RecordHeader|RecordNonce|KeyCache|Core::(seal|write_bytes)"
              r"|Connection::(seal|take_(plain_|protected_)?record|record_room))"),
    (ENGINE, r"signet::tls::"),
    (HTTP, r"signet::http::|llhttp|str(str|chr|len|tol)|__str(str|chr|len)_|(__)?v?s?n?printf|__vfprintf|__vsn"),
    (LOOP, r"signet::server::|main$|clock_gettime|std::thread"),
))


def is_kernel(frame):
    return "kernel" in frame[1] or "[guest" in frame[1]


def category(stack):
    for name, pattern in PASSES_THROUGH:
        if any(pattern.match(symbol) for symbol, _ in stack):
            return name
    if stack and (is_kernel(stack[0]) or CALLS.match(stack[0][0])):
        return SYSTEM
    for symbol, binary in stack:
        if binary.endswith(OPENSSL):
            return RECORDS if any(name.startswith(("SSL_read", "SSL_write")) for name, _ in stack) else ENGINE
        for name, pattern in INNERMOST:
            if pattern.match(symbol):
                return name
    return OTHER
