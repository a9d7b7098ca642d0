<?php
/** The fields of the settings page. */

defined( 'ABSPATH' ) || exit;

/** In the order in which an owner needs them: the connection first, what shoppers see, and last whether they see it. */
function tillkit_form_fields(): array {
	return array(
		'checkout_server' => array(
			'title'       => __( 'Checkout server address', 'tillkit-checkout' ),
			'type'        => 'text',
			'description' => __( 'You have it from whoever runs the checkout server, for instance https://pay.example.com. In its configuration it is the publicUrl.', 'tillkit-checkout' ),
			'default'     => '',
		),
		'store'           => array(
			'title'       => __( 'Store id', 'tillkit-checkout' ),
			'type'        => 'text',
			'description' => __( 'Filled in by the button under “Connection”. By hand: the id of this shop in the configuration of the checkout server.', 'tillkit-checkout' ),
			'default'     => '',
		),
		// WooCommerce's API does not return fields without a title.
		'link_secret'     => array( 'type' => 'tillkit_secret' ),
		'title'           => array(
			'title'       => __( 'Title', 'tillkit-checkout' ),
			'type'        => 'text',
			'description' => __( 'The name of the payment method at the checkout. Until you change it, it follows the language of the page and the currency.', 'tillkit-checkout' ),
			'default'     => __( 'Mobile money or card', 'tillkit-checkout' ),
		),
		'description'     => array(
			'title'   => __( 'Description', 'tillkit-checkout' ),
			'type'    => 'textarea',
			'default' => __( 'You pay on a secure page and come back to the shop.', 'tillkit-checkout' ),
		),
		'methods'         => array(
			'title'   => __( 'Methods', 'tillkit-checkout' ),
			'type'    => 'multiselect',
			'class'   => 'wc-enhanced-select',
			'options' => tillkit_methods(),
			'default' => array_keys( tillkit_methods() ),
		),
		'separate'        => array(
			'title'       => __( 'Separate methods', 'tillkit-checkout' ),
			'type'        => 'checkbox',
			'label'       => __( 'Show mobile money and card as two payment methods at the checkout', 'tillkit-checkout' ),
			'description' => __( 'Both lead to the same hosted page, where the shopper chooses again: the page cannot be told the method. The title above is then not used. Where the currency allows one method only, nothing is separated.', 'tillkit-checkout' ),
			'default'     => 'no',
		),
		'test'            => array(
			'title'   => __( 'Test badge', 'tillkit-checkout' ),
			'type'    => 'checkbox',
			'label'   => __( 'Add “(test)” to the title while the shop uses a test key', 'tillkit-checkout' ),
			'default' => 'no',
		),
		'dashboard'       => array(
			'title'       => __( 'Dashboard address', 'tillkit-checkout' ),
			'type'        => 'text',
			'placeholder' => 'https://dashboard.example.com/transactions/{transaction}',
			'description' => __( 'Optional. Makes each transaction a link: open one in the dashboard of the payment service, copy its address here, and write {transaction} in the place of its id.', 'tillkit-checkout' ),
			'default'     => '',
		),
		'log'             => array(
			'title'       => __( 'Log', 'tillkit-checkout' ),
			'type'        => 'checkbox',
			'label'       => __( 'Log every call', 'tillkit-checkout' ),
			'description' => __( 'Failed and refused calls are always under WooCommerce, Status, Logs, with the source “tillkit”. The log contains no secrets and no personal data.', 'tillkit-checkout' ),
			'default'     => 'no',
		),
		'enabled'         => array(
			'title'   => __( 'Enable', 'tillkit-checkout' ),
			'type'    => 'checkbox',
			'label'   => __( 'Offer this payment method to shoppers', 'tillkit-checkout' ),
			'default' => 'no',
		),
	);
}

/** The page never contains the stored secret. An empty field keeps it. */
function tillkit_secret_row( string $name, string $forget_name ): string {
	$stored      = tillkit_link_secrets();
	$title       = __( 'Link secret', 'tillkit-checkout' );
	$placeholder = array() === $stored ? __( 'Not set yet', 'tillkit-checkout' ) : __( 'Set. Enter a new one to replace it', 'tillkit-checkout' );
	$text        = __( 'Filled in by the button, too. By hand: the linkSecret of this store in the configuration of the checkout server, 32 characters or more. The previous secret stays valid until you remove it.', 'tillkit-checkout' );
	$html        = '<tr valign="top"><th scope="row" class="titledesc"><label for="' . esc_attr( $name ) . '">' . esc_html( $title ) . '</label></th>';
	$html       .= '<td class="forminp"><fieldset><input class="input-text regular-input" type="password" autocomplete="new-password" value=""';
	$html       .= ' name="' . esc_attr( $name ) . '" id="' . esc_attr( $name ) . '" placeholder="' . esc_attr( $placeholder ) . '" />';
	$html       .= '<p class="description">' . esc_html( $text ) . '</p>';
	if ( count( $stored ) > 1 ) {
		$forget = __( 'Remove the previous link secret (one day after the checkout server has the new one)', 'tillkit-checkout' );
		$html  .= '<label><input type="checkbox" value="1" name="' . esc_attr( $forget_name ) . '" /> ' . esc_html( $forget ) . '</label>';
	}
	return $html . '</fieldset></td></tr>';
}
