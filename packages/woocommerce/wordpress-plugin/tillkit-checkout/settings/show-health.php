<?php
/** The health panel under the settings. */

defined( 'ABSPATH' ) || exit;

function tillkit_show_health_panel(): void {
	wp_enqueue_script( 'tillkit-admin', plugins_url( 'settings/admin.js', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION, true );
	echo '<h2>' . esc_html__( 'Health', 'tillkit-checkout' ) . '</h2>';
	if ( ! tillkit_is_configured() ) {
		echo '<p>' . esc_html__( 'Enter the companion’s address, the store id and the link secret, and save. Until then shoppers do not see this payment method.', 'tillkit-checkout' ) . '</p>';
		return;
	}
	tillkit_show_health_button( 'tillkit_health', __( 'Check now', 'tillkit-checkout' ) );
	tillkit_show_health_button( 'tillkit_preview', __( 'Open a hosted page with this amount (test key only)', 'tillkit-checkout' ) );
}

function tillkit_show_health_button( string $action, string $label ): void {
	printf(
		'<div data-tillkit-call data-url="%s" data-action="%s" data-nonce="%s" data-lost="%s">',
		esc_url( admin_url( 'admin-ajax.php' ) ),
		esc_attr( $action ),
		esc_attr( wp_create_nonce( $action ) ),
		esc_attr__( 'The shop did not answer. Reload this page.', 'tillkit-checkout' )
	);
	echo '<div data-tillkit-answer aria-live="polite"></div>';
	echo '<p><button type="button" class="button" data-tillkit-ask="now">' . esc_html( $label ) . '</button></p></div>';
}

function tillkit_answer_health(): void {
	tillkit_admit_admin( 'tillkit_health', 'manage_woocommerce' );
	$order  = tillkit_newest_order();
	$answer = tillkit_ask(
		'health',
		tillkit_newest_amount( $order ) + array(
			'language' => tillkit_language(),
			'webhook'  => true,
		)
	);
	if ( is_wp_error( $answer ) ) {
		tillkit_tell_admin( tillkit_warning_html( $answer ) );
		return;
	}
	tillkit_tell_admin( tillkit_findings_html( tillkit_health_findings( $answer, $order, time() ) ) );
}

/** A page with the newest order's amount, tied to no order, for the owner's own eyes. */
function tillkit_answer_preview(): void {
	tillkit_admit_admin( 'tillkit_preview', 'manage_woocommerce' );
	$amount = tillkit_newest_amount( tillkit_newest_order() );
	if ( array() === $amount ) {
		tillkit_tell_admin( '<p>' . esc_html__( 'There is no order to compare with yet: place one, then check again.', 'tillkit-checkout' ) . '</p>' );
		return;
	}
	$answer = tillkit_ask( 'preview', $amount + array( 'language' => tillkit_language() ) );
	if ( is_wp_error( $answer ) ) {
		tillkit_tell_admin( tillkit_warning_html( $answer ) );
		return;
	}
	$link = esc_url( tillkit_text_of( $answer, 'url' ), array( 'https', 'http' ) );
	tillkit_tell_admin( '<p><a href="' . $link . '" target="_blank" rel="noopener noreferrer">' . esc_html__( 'Open the hosted page', 'tillkit-checkout' ) . '</a></p>' );
}

/** @param array<int,array{ok:bool,about:string,text:string}> $findings */
function tillkit_findings_html( array $findings ): string {
	$rows = '';
	foreach ( $findings as $finding ) {
		$sign  = $finding['ok'] ? __( 'Good', 'tillkit-checkout' ) : __( 'Look at it', 'tillkit-checkout' );
		$rows .= '<tr><td>' . ( $finding['ok'] ? '✓ ' : '⚠ ' ) . esc_html( $sign ) . '</td>';
		$rows .= '<th scope="row">' . esc_html( $finding['about'] ) . '</th><td>' . esc_html( $finding['text'] ) . '</td></tr>';
	}
	return '<table class="widefat striped"><tbody>' . $rows . '</tbody></table>';
}
