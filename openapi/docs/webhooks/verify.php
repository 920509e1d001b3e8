<?php

/**
 * The payload of a genuine notification.
 *
 * @param array<string, string> $headers names in lower case
 * @param string $body the raw body: file_get_contents('php://input')
 * @param string[] $secrets `whsec_...`, several during a rotation
 * @throws UnexpectedValueException for anything else
 */
function verify_webhook(array $headers, string $body, array $secrets): array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || !ctype_digit($timestamp)) {
        throw new UnexpectedValueException('the headers of a notification are missing');
    }
    if (abs(time() - (int) $timestamp) > 300) {
        throw new UnexpectedValueException('the timestamp is more than five minutes off');
    }
    $signatures = explode(' ', $headers['webhook-signature'] ?? '');
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach ($signatures as $signature) {
            if (hash_equals($expected, $signature)) {
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            }
        }
    }
    throw new UnexpectedValueException('no signature matches');
}
