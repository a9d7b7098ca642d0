<?php
/** The e-mail to the owner about money that waits for a decision. WooCommerce sends it like its own e-mails. */

defined( 'ABSPATH' ) || exit;

/** WooCommerce then fires `tillkit_order_needs_decision_notification` with its e-mails loaded, also in the REST API and in cron. */
function tillkit_add_email_action( $actions ) {
	$actions[] = 'tillkit_order_needs_decision';
	return $actions;
}

/** WC_Email is not loaded before this filter. */
function tillkit_add_email_class( $emails ) {
	require_once __DIR__ . '/class-tillkit-decision-email.php';
	$emails['Tillkit_Decision_Email'] = new Tillkit_Decision_Email();
	return $emails;
}
