<?php
/**
 * The bridge: the part of a shop's plugin that is the same on every platform. It speaks PROTOCOL.md with the checkout server. The plugin gives
 * it a Tillkit_Host with tillkit_host() before it calls anything else.
 */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

foreach ( array(
	'host',
	'error',
	'texts',
	'money',
	'signing/signature',
	'signing/signed-call',
	'signing/pay-link',
	'calls/read-fields',
	'calls/answer-call',
	'calls/call-checkout-server',
	'calls/order-writes',
	'calls/log',
	'connection/settings',
	'connection/validate',
	'connection/dashboard',
	'connection/pairing',
	'connection/copy-of-site',
	'connection/health',
	'decisions/order-decision',
	'decisions/decide',
	'refunds/unconfirmed-refund',
	'refunds/send-refund',
	'order-panel/order-timeline',
	'order-panel/payment-card',
	'order-panel/decision-forms',
	'order-panel/refund-outcome',
	'order-panel/answer-panel',
	'shopper/shopper-status',
	'shopper/shopper-texts',
	'shopper/shopper-poll',
	'shopper/status-notice',
	'personal-data',
) as $tillkit_part ) {
	require_once __DIR__ . "/$tillkit_part.php";
}
unset( $tillkit_part );
