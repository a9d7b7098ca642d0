<?php
/** The health panel under the settings. */

defined( 'ABSPATH' ) || exit;

/** Without this class WordPress replaces the sign by a picture that the browser loads from another server. */
const TILLKIT_WARNING_SIGN_HTML = '<span class="wp-exclude-emoji">⚠</span> ';

function tillkit_show_health_panel(): void {
	wp_enqueue_script( 'tillkit-admin', plugins_url( 'settings/admin.js', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION, true );
	wp_enqueue_style( 'tillkit-admin', plugins_url( 'settings/admin.css', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION );
	echo '<h2>' . esc_html__( 'Health', 'tillkit-checkout' ) . '</h2>';
	tillkit_show_copy_box();
	tillkit_show_decimals_box();
	if ( ! tillkit_is_configured() ) {
		echo '<p>' . esc_html__( 'The shop is not connected yet, so shoppers do not see this payment method. Press the button under “Connection”, or enter the store id and the link secret above and save.', 'tillkit-checkout' ) . '</p>';
		return;
	}
	tillkit_show_health_button( 'tillkit_health', __( 'Check now', 'tillkit-checkout' ) );
	tillkit_show_health_button( 'tillkit_preview', __( 'Open a hosted page with this amount (test key only)', 'tillkit-checkout' ) );
}

/** When the button is pressed, admin.js sends the action to admin-ajax.php and shows the HTML that it answers. */
function tillkit_show_health_button( string $action, string $label ): void {
	printf(
		'<div data-tillkit-call data-url="%s" data-action="%s" data-nonce="%s" data-failure-text="%s">',
		esc_url( admin_url( 'admin-ajax.php' ) ),
		esc_attr( $action ),
		esc_attr( wp_create_nonce( $action ) ),
		esc_attr__( 'The shop did not answer. Reload this page.', 'tillkit-checkout' )
	);
	echo '<div data-tillkit-answer aria-live="polite"></div>';
	echo '<p><button type="button" class="button" data-tillkit-purpose="run">' . esc_html( $label ) . '</button></p></div>';
}

/** Checks the shop and the checkout server with the amount of the newest order, or with an example when there is no order. */
function tillkit_answer_health(): void {
	tillkit_require_admin_request( 'tillkit_health', 'manage_woocommerce' );
	$order  = tillkit_newest_order();
	$answer = tillkit_call_checkout_server(
		'health',
		tillkit_amount_to_check( $order ) + array(
			'language' => tillkit_language(),
			'webhook'  => true,
		)
	);
	if ( is_wp_error( $answer ) ) {
		tillkit_send_admin_html( tillkit_warning_html( $answer ) );
		return;
	}
	tillkit_remember_environment( tillkit_text_field( $answer, 'environment' ) );
	$links = array( tillkit_text_field( $answer, 'operators_url' ) => __( 'Open the operators’ pages of the checkout server', 'tillkit-checkout' ) );
	tillkit_send_admin_html( tillkit_health_results_html( tillkit_health_results( $answer, $order, time() ) ) . tillkit_links_html( $links ) );
}

/** Opens a hosted page with the amount of the newest order or with an example, without an order and for the owner only. */
function tillkit_answer_preview(): void {
	tillkit_require_admin_request( 'tillkit_preview', 'manage_woocommerce' );
	$answer = tillkit_call_checkout_server( 'preview', tillkit_amount_to_check( tillkit_newest_order() ) + array( 'language' => tillkit_language() ) );
	if ( is_wp_error( $answer ) ) {
		tillkit_send_admin_html( tillkit_warning_html( $answer ) );
		return;
	}
	$link = esc_url( tillkit_text_field( $answer, 'url' ), array( 'https', 'http' ) );
	tillkit_send_admin_html( '<p><a href="' . $link . '" target="_blank" rel="noopener noreferrer">' . esc_html__( 'Open the hosted page', 'tillkit-checkout' ) . '</a></p>' );
}

/** @param array<int,array{ok:bool,about:string,text:string}> $results */
function tillkit_health_results_html( array $results ): string {
	$rows = '';
	foreach ( $results as $result ) {
		$label = $result['ok'] ? __( 'OK', 'tillkit-checkout' ) : __( 'Needs attention', 'tillkit-checkout' );
		$rows .= '<tr><td class="tillkit-result">' . ( $result['ok'] ? '✓ ' : TILLKIT_WARNING_SIGN_HTML ) . esc_html( $label ) . '</td>';
		$rows .= '<th scope="row">' . esc_html( $result['about'] ) . '</th><td>' . esc_html( $result['text'] ) . '</td></tr>';
	}
	return '<table class="widefat striped tillkit-health"><tbody>' . $rows . '</tbody></table>';
}
