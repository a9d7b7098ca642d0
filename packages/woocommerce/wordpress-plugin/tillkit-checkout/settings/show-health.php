<?php
/** The health panel under the settings. */

defined( 'ABSPATH' ) || exit;

function tillkit_show_health_panel(): void {
	wp_enqueue_script( 'tillkit-admin', plugins_url( 'bridge/order-panel/buttons.js', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION, true );
	wp_enqueue_style( 'tillkit-order-box', plugins_url( 'bridge/order-panel/order-panel.css', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION );
	wp_enqueue_style( 'tillkit-admin', plugins_url( 'settings/admin.css', TILLKIT_PLUGIN_FILE ), array(), TILLKIT_VERSION );
	echo '<h2>' . esc_html__( 'Health', 'tillkit-checkout' ) . '</h2>';
	tillkit_show_copy_box();
	tillkit_show_decimals_box();
	if ( ! tillkit_is_configured() ) {
		echo '<p>' . esc_html__( 'The shop is not connected yet, so shoppers do not see this payment method. Press the button under “Connection”, or enter the store id and the link secret above and save.', 'tillkit-checkout' ) . '</p>';
		return;
	}
	tillkit_show_health_button( 'tillkit_health', tillkit_text( 'Check now' ) );
	tillkit_show_health_button( 'tillkit_preview', __( 'Open a hosted page with this amount (test key only)', 'tillkit-checkout' ) );
}

/** When the button is pressed, buttons.js sends the action to admin-ajax.php and shows the HTML that it answers. */
function tillkit_show_health_button( string $action, string $label ): void {
	$data = array(
		'url'    => admin_url( 'admin-ajax.php' ),
		'action' => $action,
		'nonce'  => wp_create_nonce( $action ),
	);
	// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- The bridge escapes every part.
	echo tillkit_call_box_html( $data, array( 'run' => $label ) );
}

/** Checks the shop and the checkout server with the amount of the newest order, or with an example when there is no order. */
function tillkit_answer_health(): void {
	tillkit_require_admin_request( 'tillkit_health', 'manage_woocommerce' );
	$own = array();
	if ( '' === (string) get_option( 'permalink_structure', '' ) ) {
		$own[] = tillkit_health_result( false, __( 'Permalinks', 'tillkit-checkout' ), __( 'Choose “Post name” under Settings, Permalinks. Otherwise the checkout server cannot call this shop.', 'tillkit-checkout' ) );
	}
	tillkit_send_admin_html( tillkit_health_html( tillkit_newest_order(), $own, time() ) );
}

/** Opens a hosted page with the amount of the newest order or with an example, without an order and for the owner only. */
function tillkit_answer_preview(): void {
	tillkit_require_admin_request( 'tillkit_preview', 'manage_woocommerce' );
	tillkit_send_admin_html( tillkit_preview_html( tillkit_newest_order() ) );
}
